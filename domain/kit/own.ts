/** What an object itself has under a key that somebody chose: `constructor` is a key like any other, and no object is born with it. */
export const own = <T>(of: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  of !== undefined && Object.hasOwn(of, key) ? of[key] : undefined
