import { API_SCOPES, type ApiScope } from '#domain/kit/api-scopes'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createApiKey } from '#contract/profile'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { SecretDialog, type NewSecret } from '@/components/secrets/secret-dialog'
import { call } from '@/data/client'
import { fieldFaults } from '@/data/field-faults'
import { profileQueries } from './profile-queries.ts'

/** Lifetimes offered, days. */
const LIFETIMES = [7, 30, 90, 365]

/** A new API key, shown once. */
export function ApiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profile')
  const [scopes, setScopes] = useState<readonly ApiScope[]>(['read'])
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const asksForCode = useQuery(profileQueries.secondFactor()).data?.on === true
  const create = useMutation({
    meta: { silent: true, invalidates: [['profile']] },
    mutationFn: (key: NewSecret) => {
      const secrets = { password, ...(asksForCode ? { code } : {}) }
      return call(createApiKey, { body: { ...key, scopes: [...scopes], ...secrets } })
    },
  })
  const faults = fieldFaults(create.error)
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
      lifetimes={LIFETIMES}
      lifetime={90}
      creation={create}
      faults={faults}
      secret={create.data?.key}
      isReady={scopes.length > 0 && password !== '' && (!asksForCode || code.trim() !== '')}
      proof={
        <>
          <LabelledField label={t('password.old')} error={faults['password']}>
            <FieldInput
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </LabelledField>
          {asksForCode && (
            <LabelledField label={t('factor.code')} help={t('factor.codeHelp')} error={faults['code']}>
              <FieldInput
                autoComplete="one-time-code"
                maxLength={20}
                className="font-mono tracking-widest"
                value={code}
                onChange={({ target }) => setCode(target.value)}
              />
            </LabelledField>
          )}
        </>
      }
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
              checked={scopes.includes(scope)}
              onChange={({ target }) => setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
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
