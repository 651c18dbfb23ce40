import { createFileRoute, redirect } from '@tanstack/react-router'
import { codeIn } from '@/session/sign-on'
import { isSignedIn } from '@/session/token-store'
import { PublicFrame } from '@/session/public-frame'

export const Route = createFileRoute('/_public')({
  beforeLoad: ({ location }) => {
    // A user who proves themself at an identity provider comes back with a code (fine print 83).
    if (isSignedIn() && codeIn(location.hash) === null) throw redirect({ to: '/', replace: true })
  },
  component: PublicFrame,
})
