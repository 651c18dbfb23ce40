import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { revokeApiKey, rotateApiKey } from '#contract/api-keys'
import { SecretsList } from '@/components/secrets/secrets-list'
import { call } from '@/data/client'
import { formatMinute } from '@/i18n/format'
import { profileQueries } from './profile-queries.ts'

const ApiKeyDialog = lazy(async () => ({ default: (await import('./api-key-dialog.tsx')).ApiKeyDialog }))

/** The user's API keys. */
export function ApiKeysSection() {
  const { t } = useTranslation('profile')
  return (
    <SecretsList
      query={useQuery(profileQueries.apiKeys())}
      texts={{
        title: t('keys.title'),
        text: t('keys.text'),
        create: t('keys.create'),
        error: t('keys.error'),
        empty: t('keys.empty'),
        revoked: t('keys.revoked'),
        expired: t('keys.expired'),
        revokeText: t('keys.revokeText'),
        kept: t('keys.kept'),
      }}
      badgesOf={({ scopes }) => scopes.map((scope) => ({ key: scope, label: t(`keys.scope.${scope}`) }))}
      detailsOf={({ hint, used_at: at }) => ({
        before: (
          <>
            <code translate="no">…{hint}</code>
            {' · '}
          </>
        ),
        after: ` · ${at === null ? t('keys.neverUsed') : t('keys.used', { at: formatMinute(at) })}`,
      })}
      rotate={async (id) => {
        const { key: secret, replaced_until: until } = await call(rotateApiKey, { params: { id } })
        return { secret, until }
      }}
      revoke={(id) => call(revokeApiKey, { params: { id } })}
      invalidates={['profile']}
      renderDialog={(onClose) => <ApiKeyDialog onClose={onClose} />}
    />
  )
}
