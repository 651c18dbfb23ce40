/** An object's own value under an arbitrary key: inherited properties such as `constructor` are ignored. */
export const own = <T>(of: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  of !== undefined && Object.hasOwn(of, key) ? of[key] : undefined
