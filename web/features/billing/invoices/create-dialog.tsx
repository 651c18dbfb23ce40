import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createInvoice } from '#contract/invoices'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { Field, FieldLabel } from '@/components/ui/field'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { useToday } from '@/lib/clock'
import { presetRange } from '@/lib/date-range'
import { AccountFinder } from '@/session/account-finder'
import { changedByInvoices } from './invoice-queries.ts'
import { usePeriodFields } from './period-fields.ts'

type CreateDialogProps = {
  /** Null: the dialog asks for the account. */
  readonly spaceId: string | null
  readonly onClose: () => void
}

/** Drafts an invoice, of the past month unless another period is chosen, and opens it. */
export function CreateDialog({ spaceId, onClose }: CreateDialogProps) {
  const { t } = useTranslation('invoices')
  const navigate = useNavigate()
  const month = presetRange('pastMonth', useToday())
  const [chosen, setChosen] = useState<{ readonly space_id: string; readonly space_name: string } | null>(null)
  const periodFields = usePeriodFields({ charge_from_date: month.start, charge_to_date: month.end, due_date: '', note: '' })
  const space = spaceId ?? chosen?.space_id ?? ''
  const { data: account } = useQuery({ ...accountQueries.space(space), enabled: space !== '' })
  return (
    <FieldsDialog
      title={t('create.title')}
      text={t('create.text')}
      confirm={t('create.confirm')}
      done={t('create.done')}
      currency={account?.currency ?? 'USD'}
      fields={{ ...periodFields, allow_empty: { kind: 'switch', label: t('create.empty') } }}
      send={({ due_date, ...body }) => call(createInvoice, { body: { space_id: space, ...body, due_date: due_date || null } })}
      invalidates={changedByInvoices()}
      onDone={({ id }) => void navigate({ to: '/admin/invoice/details/$id', params: { id }, ignoreBlocker: true })}
      onClose={onClose}
    >
      {spaceId === null && (
        <Field>
          <FieldLabel>{t('columns.account')}</FieldLabel>
          <AccountFinder label={t('columns.account')} chosen={chosen} onChoose={setChosen} className="w-full" />
        </Field>
      )}
    </FieldsDialog>
  )
}
