import { z } from '../../api/contract/zod.ts'

/** Only pages of this application: an address with a host, or one that a browser reads as such, is dropped. */
const ownPage = z.string().check(z.regex(/^\/(?![/\\])[\x21-\x7e]*$/), z.maxLength(2000))

export const signInSearch = z.object({
  /** Where signing in leads; the list of campaigns when it is absent. */
  to: z.catch(z.optional(ownPage), undefined),
})

/** Search of the sign-in page for a user who asked for `href`. */
export const signInFrom = (href: string): z.infer<typeof signInSearch> =>
  /^\/(campaigns)?$/.test(href) ? {} : signInSearch.parse({ to: href })
