/** Numbers with a check digit. */

const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Digits of a known issuer whose Luhn sum is right; all else in the text is ignored. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  if (!CREDIT_CARD.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = digit * 2;
    if (place % 2 === 0) sum += digit;
    else sum += doubled >= 10 ? (doubled % 10) + 1 : doubled;
  }
  return sum % 10 === 0;
}

export function isIsbn10(text: string): boolean {
  const code = withoutSeparators(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(code)) return false;
  let sum = 0;
  for (let place = 0; place < 10; place++) {
    sum += (place + 1) * (code[place] === "X" ? 10 : Number(code[place]));
  }
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const code = withoutSeparators(text);
  if (!/^[0-9]{13}$/.test(code)) return false;
  let sum = 0;
  for (let place = 0; place < 12; place++) sum += (place % 2 === 0 ? 1 : 3) * Number(code[place]);
  return Number(code[12]) === (10 - (sum % 10)) % 10;
}

function withoutSeparators(text: string): string {
  return text.replaceAll(/[\s-]+/g, "");
}
