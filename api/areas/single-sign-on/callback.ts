/** Where identity providers of a white-label send browsers back to. */
export const callbackUrl = (origin: string): string => `${origin}/v1/oauth/sign-on/callback`
/** Where they say that a session ended. */
export const backChannelUrl = (origin: string): string => `${origin}/v1/oauth/sign-on/back-channel`
/** Where they send browsers after a sign-out. */
export const signOutUrl = (origin: string): string => `${origin}/auth/login`
