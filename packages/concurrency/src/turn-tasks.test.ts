import { expect, test } from "vitest";
import { TurnTasks } from "./turn-tasks.ts";

test("a task given while tasks run waits for the next run", () => {
  const tasks = new TurnTasks();
  const ran: string[] = [];
  tasks.add(() => {
    ran.push("first");
    tasks.add(() => ran.push("given by first"));
  });
  tasks.add(() => ran.push("second"));
  tasks.run();
  expect(ran).toEqual(["first", "second"]);
  expect(tasks.size).toBe(1);
  tasks.run();
  expect(ran).toEqual(["first", "second", "given by first"]);
});

test("tasks behind one that throws keep their place before newer ones", () => {
  const tasks = new TurnTasks();
  const ran: string[] = [];
  tasks.add(() => {
    tasks.add(() => ran.push("newer"));
    throw new Error("broken task");
  });
  tasks.add(() => ran.push("second"));
  tasks.add(() => ran.push("third"));
  expect(() => tasks.run()).toThrow("broken task");
  expect(ran).toEqual([]);
  tasks.run();
  expect(ran).toEqual(["second", "third", "newer"]);
  expect(tasks.size).toBe(0);
});
