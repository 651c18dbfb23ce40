import { v5, v7 } from 'uuid'

/** Namespace of every derived id of the product. Changing it would change them all: never do. */
const NAMESPACE = '6f7a2c1e-3b0d-5c7e-9a41-0d5be2f6c8a7'

/** A new id, ordered by time. */
export const newId = (): string => v7()

/** The same id for the same parts, on any machine (fine print 17). */
export const derivedId = (...parts: readonly string[]): string => v5(JSON.stringify(parts), NAMESPACE)
