import { API_SCOPES, type ApiScope } from '#domain/kit/api-scopes'
import { KEY_DAYS } from '#domain/kit/key-life'
import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { createApiKey } from '#contract/api-keys'
import { showFaults, useShortForm } from '@/components/form/short-form'
import { endOf, type NewSecret } from '@/components/secrets/lifetime'
import { SecretDialog } from '@/components/secrets/secret-dialog'
import { call } from '@/data/client'
import { useMe } from '@/session/session-queries'

type Values = NewSecret & { readonly scopes: readonly ApiScope[] }

/** A new API key, shown once. */
export function ApiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profile')
  const { api_key_days: most } = useMe()
  const form = useShortForm<Values>({
    name: '',
    days: String(Math.min(most, KEY_DAYS.standard)),
    expires_at: '',
    scopes: ['read'],
  })
  const scopes = useWatch({ control: form.control, name: 'scopes' })
  const create = useMutation({
    meta: { silent: true, invalidates: [['profile']] },
    mutationFn: ({ name, scopes: chosen, ...end }: Values) =>
      call(createApiKey, { body: { name: name.trim(), scopes: [...chosen], ...endOf(end) } }),
    onError: (error) => void showFaults(form, error),
  })
  return (
    <SecretDialog
      texts={{
        title: t('keys.createTitle'),
        createdTitle: t('keys.createdTitle'),
        createdText: t('keys.createdText'),
        create: t('keys.create'),
        kept: t('keys.kept'),
        nameHelp: t('keys.nameHelp'),
      }}
      most={most}
      form={form}
      creation={create}
      secret={create.data?.key}
      isReady={scopes.length > 0}
      onClose={onClose}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 text-[0.8125rem]/4.5 font-medium">{t('keys.scopes')}</legend>
        {API_SCOPES.map((scope) => (
          <div key={scope} className="flex items-start gap-2.5">
            <input
              type="checkbox"
              id={`scope-${scope}`}
              aria-describedby={`scope-${scope}-help`}
              className="accent-primary mt-0.5 size-4"
              value={scope}
              {...form.register('scopes')}
            />
            <div>
              <label htmlFor={`scope-${scope}`} className="block">
                {t(`keys.scope.${scope}`)}
              </label>
              <p id={`scope-${scope}-help`} className="text-muted-foreground text-xs">
                {t(`keys.scopeHelp.${scope}`)}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
    </SecretDialog>
  )
}
