import { API_SCOPES, type ApiScope } from '#domain/kit/api-scopes'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { createApiKey } from '#contract/profile'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { SecretShown } from '@/components/secret-shown'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { call } from '@/data/client'
import { errorText } from '@/i18n/error-text'
import { fieldFaults } from '@/data/field-faults'
import { profileQueries } from './profile-queries.ts'

/** Lifetimes offered, days. */
const LIFETIMES = [7, 30, 90, 365]

/** A new API key, shown once. */
export function ApiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profile')
  const [name, setName] = useState('')
  const [days, setDays] = useState(90)
  const [scopes, setScopes] = useState<readonly ApiScope[]>(['read'])
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const asksForCode = useQuery(profileQueries.secondFactor()).data?.on === true
  const create = useMutation({
    meta: { silent: true, invalidates: [['profile']] },
    mutationFn: () => {
      const secrets = { password, ...(asksForCode ? { code } : {}) }
      return call(createApiKey, { body: { name: name.trim(), scopes: [...scopes], days, ...secrets } })
    },
  })
  const key = create.data?.key
  const faults = fieldFaults(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t(key === undefined ? 'keys.createTitle' : 'keys.createdTitle')} closable={key === undefined}>
        {key === undefined ? (
          <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
            <DialogPanelBody>
              <LabelledField label={t('keys.name')} help={t('keys.nameHelp')} error={faults['name']}>
                <FieldInput maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
              </LabelledField>
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
                      onChange={({ target }) =>
                        setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                      }
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
              <LabelledField label={t('keys.lifetime')}>
                <FieldSelect value={String(days)} onChange={({ target }) => setDays(Number(target.value))}>
                  {LIFETIMES.map((count) => (
                    <option key={count} value={count}>
                      {t('keys.days', { count })}
                    </option>
                  ))}
                </FieldSelect>
              </LabelledField>
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
              {create.isError && Object.keys(faults).length === 0 && (
                <p role="alert" className="text-destructive text-xs">
                  {errorText(create.error)}
                </p>
              )}
            </DialogPanelBody>
            <DialogPanelFooter>
              <Button type="button" variant="ghost" onClick={onClose}>
                {t('cancel')}
              </Button>
              <Button
                type="submit"
                disabled={
                  create.isPending ||
                  name.trim() === '' ||
                  scopes.length === 0 ||
                  password === '' ||
                  (asksForCode && code.trim() === '')
                }
              >
                {t('keys.create')}
              </Button>
            </DialogPanelFooter>
          </form>
        ) : (
          <SecretShown text={t('keys.createdText')} secret={key} done={t('keys.kept')} onDone={onClose} />
        )}
      </DialogPanel>
    </Dialog>
  )
}
