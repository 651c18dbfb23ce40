import { z } from '#contract/zod'
import { REFUSALS } from '#domain/single-sign-on/admission'

/** Only paths of this application: a URL with a host, or one that a browser reads as such, is dropped. */
const ownPage = z.string().check(z.regex(/^\/(?![/\\])[\x21-\x7e]*$/), z.maxLength(2000))

export const signInSearch = z.object({
  /** The target after signing in; default: the home of the role. */
  to: z.catch(z.optional(ownPage), undefined),
  /** Cause of the end of the session: a hand-over of the account, or an address from which the user may not work. */
  after: z.catch(z.optional(z.enum(['hand-over', 'outside'])), undefined),
  /** Why a sign-in at an identity provider failed. */
  sign_on: z.catch(z.optional(z.enum(REFUSALS)), undefined),
})
export type SignInSearch = z.infer<typeof signInSearch>

/** Returns the search of the sign-in page for a user who requested `href`. */
export const signInFrom = (href: string): SignInSearch => (href === '/' ? {} : signInSearch.parse({ to: href }))
