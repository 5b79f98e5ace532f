/**
 * Texts as Go has them: bytes. Parsers that cut and decode at byte positions (percent escapes) work
 * on a byte text, a string in which every character is one byte of the UTF-8 form, and come back
 * to a text at the end, where bytes that are not UTF-8 become U+FFFD.
 */
const ASCII = /^[\0-\x7f]*$/;
/** As many as one call may have arguments, and some. */
const CHUNK = 8_192;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function toByteText(text: string): string {
  if (ASCII.test(text)) return text;
  const encoded = encoder.encode(text);
  let bytes = "";
  for (let start = 0; start < encoded.length; start += CHUNK) {
    bytes += String.fromCharCode(...encoded.subarray(start, start + CHUNK));
  }
  return bytes;
}

export function fromByteText(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  return decoder.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

export function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).length;
}
