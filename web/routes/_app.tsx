import { languageOf, LANGUAGES } from '#domain/kit/languages'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { chooseLanguage, hasChosenLanguage } from '@/i18n/setup'
import { showIdentity } from '@/session/identity'
import { hasStaffProfile } from '@/session/can'
import { isSignedIn } from '@/session/token-store'
import { FrameError, FramePending } from '@/components/route-states'
import { sessionQueries } from '@/session/session-queries'
import { signInFrom } from '@/session/sign-in-search'
import { AppFrame } from '@/app/frame/app-frame'

export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context, location }) => {
    if (!isSignedIn()) throw redirect({ to: '/auth/login', search: signInFrom(location.href), replace: true })
    const me = await context.queryClient.ensureQueryData(sessionQueries.me())
    showIdentity({ user: me.id, space: me.space_id })
    // On a new device: the language of the profile.
    const language = languageOf(me.language_key)
    if (language !== LANGUAGES[0].code && !hasChosenLanguage()) await chooseLanguage(language)
    const own = hasStaffProfile(me) ? '/profile-whitelabel' : '/profile'
    // The server refuses everything else until the second factor is set up.
    if (me.second_factor_required && !me.second_factor && location.pathname !== own)
      throw redirect({ to: own, search: { tab: 'security' }, replace: true })
    return { me }
  },
  pendingComponent: FramePending,
  errorComponent: FrameError,
  component: AppFrame,
})
