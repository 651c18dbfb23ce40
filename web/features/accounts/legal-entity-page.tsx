import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLegalEntity, type AccountRecord } from '../../../api/contract/accounts.ts'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { NotFound } from '@/components/page/not-found'
import { Page } from '@/components/page/page'
import { isMissing } from '@/data/app-error'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import '@/i18n/texts/accounts'

const route = getRouteApi('/_app/admin/legal-entity/user/$id')

/** `/admin/legal-entity/user/{id}`: whom invoices of an account name. */
export function LegalEntityPage() {
  const { t } = useTranslation('accounts')
  const { id } = route.useParams()
  const { data: account, error, refetch } = useQuery(accountQueries.ofUser(id))
  if (isMissing(error)) return <NotFound />
  return (
    <Page
      title={t('legalPage.title')}
      breadcrumb={[
        <Link key="accounts" to="/admin/accounts">
          {t('title')}
        </Link>,
        <Link key="account" to="/admin/user/details/$id" params={{ id }}>
          {account?.space_name ?? '…'}
        </Link>,
      ]}
      failed={
        error !== null && account === undefined ? { title: t('legalPage.error'), error, onRetry: () => void refetch() } : null
      }
    >
      {account === undefined ? (
        <Skeleton className="h-48 max-w-xl" />
      ) : (
        <LegalForm key={account.id} account={account} userId={id} />
      )}
    </Page>
  )
}

function LegalForm({ account, userId }: { readonly account: AccountRecord; readonly userId: string }) {
  const { t } = useTranslation('accounts')
  const stored = { name: account.legal_entity_name ?? '', tin: account.tin_number ?? '' }
  const [values, setValues] = useState(stored)
  const { mutate, isPending } = useMutation({
    meta: { invalidates: [accountQueries.all()] },
    mutationFn: () =>
      call(changeLegalEntity, {
        body: { user_id: userId, legal_entity_name: values.name.trim(), tin_number: values.tin.trim() },
      }),
    onSuccess: () => toast.success(t('legalPage.done')),
  })
  const isDirty = values.name !== stored.name || values.tin !== stored.tin
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit} className="border-border bg-card flex max-w-xl flex-col gap-4 rounded-lg border p-6">
      <LabelledField label={t('legalPage.name')} help={t('legalPage.help')}>
        <FieldInput
          autoComplete="off"
          maxLength={300}
          value={values.name}
          onChange={({ target }) => setValues((before) => ({ ...before, name: target.value }))}
        />
      </LabelledField>
      <LabelledField label={t('legalPage.tin')}>
        <FieldInput
          autoComplete="off"
          maxLength={100}
          className="tabular-nums"
          value={values.tin}
          onChange={({ target }) => setValues((before) => ({ ...before, tin: target.value }))}
        />
      </LabelledField>
      <div>
        <Button type="submit" disabled={isPending || !isDirty}>
          {t('legalPage.save')}
        </Button>
      </div>
    </form>
  )
}
