#!/bin/sh
# An editor that puts one text in the place of another.
sed -i "s/$1/$2/" "$3"
