/** From and until when a certificate holds, in milliseconds since the epoch. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

const DAY = 86_400_000;

/**
 * Certificates hold from a day before they are made: peers whose clock is behind accept them, and
 * so does this machine after its clock was put back a little.
 */
const BACKDATED = DAY;

export const AUTHORITY_LIFE: number = 3650 * DAY;
export const LEAF_LIFE: number = 365 * DAY;

/**
 * What replaces a certificate ends no earlier than that: after a clock that was put back for a
 * while is right again, it still holds.
 */
export function validityFrom(
  now: number,
  { life, replaced }: { life: number; replaced?: Validity | undefined },
): Validity {
  return {
    notBefore: now - BACKDATED,
    notAfter: Math.max(now + life, replaced?.notAfter ?? Number.NEGATIVE_INFINITY),
  };
}

/** When four fifths of the life are over: there is then time left to notice what goes wrong. */
export function renewalTime({ notBefore, notAfter }: Validity): number {
  return notBefore + (notAfter - notBefore) * 0.8;
}

/** Also before its beginning: the clock was put back, or was ahead when the certificate was made. */
export function isRenewalDue(validity: Validity, now: number): boolean {
  return now < validity.notBefore || now >= renewalTime(validity);
}
