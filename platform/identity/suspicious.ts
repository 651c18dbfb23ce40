const SUSPICIOUS: ReadonlySet<string> = new Set(['sign-in-failed', 'refused', 'passkey-copied'])

/** Whether an operator should look at security events of this type. */
export const isSuspicious = (type: string): boolean => SUSPICIOUS.has(type)
