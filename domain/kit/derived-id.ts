/** Makes an id that is the same for the same parts: of a stream from its command, of a policy's command from its cause (fine print 17). */
export type DerivedId = (...parts: readonly string[]) => string
