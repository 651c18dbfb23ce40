import { z } from '#contract/zod'

const key = z.catch(z.optional(z.coerce.string().check(z.maxLength(300))), undefined)

/** `?key=` and `?token=` work as the path segment does (decisions G-170). */
export const keySearch = z.object({ key, token: key })
