import { signIn } from '#contract/session'
import type { z } from '#contract/zod'
import { call } from '@/data/client'
import type { Grant } from './token-store.ts'

/** Proof with which a user signs in. Programs use another grant of the same call. */
type Proof = Exclude<z.input<typeof signIn.input>, { readonly grant_type: 'client_credentials' }>

/** The tokens of a sign-in. */
export async function signInBy(body: Proof): Promise<Grant> {
  const granted = await call(signIn, { body })
  if ('token_type' in granted) throw new Error('a sign-in was answered with the token of a program')
  return granted
}
