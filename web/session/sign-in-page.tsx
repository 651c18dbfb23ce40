import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { BrandMark } from '@/session/brand-mark'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { usePageTitle } from '@/components/page/page-title'
import { storedSession } from './identity.ts'
import { useWhitelabel } from './session-queries.ts'
import { SignInFields, storeSignedIn } from './sign-in-fields.tsx'
import { endReplaced } from './sign-on.ts'
import { SignOnPart } from './sign-on-part.tsx'

const LINK = 'text-primary-ink rounded-[3px] font-medium hover:underline'

const route = getRouteApi('/_public/auth/login')

export function SignInPage() {
  const { t } = useTranslation('session')
  const router = useRouter()
  const { to = '/', after, sign_on: refusal } = route.useSearch()
  const { name } = useWhitelabel()
  usePageTitle(t('pageTitle'))
  return (
    <div className="w-full max-w-[400px]">
      <BrandMark className="mb-8 justify-center" />
      {after === 'hand-over' && (
        <Notice tone="good" className="mb-4">
          <CircleCheck aria-hidden />
          {t('handedOver')}
        </Notice>
      )}
      {after === 'outside' && (
        <Notice tone="bad" className="mb-4">
          <CircleAlert aria-hidden />
          {t('outside')}
        </Notice>
      )}
      <SignInFields
        to={to}
        onSignedIn={() => router.history.replace(to)}
        end={
          <Button asChild variant="ghost">
            <Link to="/auth/forgot-password">{t('forgot')}</Link>
          </Button>
        }
        className="border-border bg-card flex flex-col gap-5 rounded-xl border p-8 shadow-[0_1px_3px_oklch(0.2_0.02_265/0.06)]"
      >
        <div>
          <h1 className="text-xl font-semibold tracking-[-0.01em]">{t('welcome', { name })}</h1>
          <p className="text-muted-foreground">{t('lead')}</p>
        </div>
        <SignOnPart
          to={to}
          refusal={refusal}
          onGrant={async (grant, page) => {
            const before = storedSession()
            storeSignedIn(grant)
            // A proof at the provider takes the place of the session that it was asked for.
            if (before !== null) void endReplaced(before)
            router.history.replace(page)
          }}
        />
      </SignInFields>
      <p className="text-muted-foreground mt-6 flex flex-wrap justify-center gap-x-1.5">
        {t('noAccount')}
        <Link to="/auth/signup" className={LINK}>
          {t('createAccount')}
        </Link>
      </p>
    </div>
  )
}
