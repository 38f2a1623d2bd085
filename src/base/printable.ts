/**
 * What a terminal would act on instead of showing it: controls of both sets, among them the escape and the line feed, the
 * two line separators, and the marks that turn the direction of writing.
 */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text for a person, who may have it from a trace: an escape is shown as `\u001b`, and nothing ends the line. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
