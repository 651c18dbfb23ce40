import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { listCredentials, revokeCredential, rotateCredential } from '#contract/service-credential'
import { SecretsList } from '@/components/secrets/secrets-list'
import { SettingsSection } from '@/components/settings-section'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { GuidelinesSections } from './guidelines-section.tsx'
import { SingleSignOnSections } from './single-sign-on-section.tsx'
import '@/i18n/texts/settings'

const CredentialDialog = lazy(async () => ({ default: (await import('./credential-dialog.tsx')).CredentialDialog }))

/** Sections of `/settings`: what an owner sets up for the whole white-label besides its looks. */
export function WhiteLabelSections() {
  const { t } = useTranslation('settings')
  return (
    <>
      <Credentials />
      <SingleSignOnSections />
      <GuidelinesSections />
      <SettingsSection
        title={t('more.title')}
        text={t('more.text')}
        action={
          <Button asChild variant="outline">
            <Link to="/admin/customization">{t('more.open')}</Link>
          </Button>
        }
      />
    </>
  )
}

function Credentials() {
  const { t } = useTranslation('settings')
  const credentials = useQuery({
    queryKey: ['credentials'],
    queryFn: ({ signal }) => call(listCredentials, { signal }),
  })
  return (
    <SecretsList
      query={credentials}
      texts={{
        title: t('credentials.title'),
        text: t('credentials.text'),
        create: t('credentials.create'),
        error: t('credentials.error'),
        empty: t('credentials.empty'),
        revoked: t('credentials.revoked'),
        expired: t('credentials.expired'),
        revokeText: t('credentials.revokeText'),
        kept: t('credentials.kept'),
      }}
      badgesOf={({ exchange }) => [{ key: 'for', label: exchange ?? t('credentials.bidder') }]}
      rotate={async (id) => {
        const { secret, replaced_until: until } = await call(rotateCredential, { params: { id } })
        return { secret, until }
      }}
      revoke={(id) => call(revokeCredential, { params: { id } })}
      invalidates={['credentials']}
      renderDialog={(onClose) => <CredentialDialog onClose={onClose} />}
    />
  )
}
