import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createInvoice } from '#contract/invoices'
import { Field, FieldLabel } from '@/components/ui/field'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { useToday } from '@/lib/clock'
import { presetRange } from '@/lib/date-range'
import { AccountFinder } from '@/session/account-finder'
import { InvoiceDialog } from './invoice-dialog.tsx'

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
  const space = spaceId ?? chosen?.space_id ?? ''
  const { data: account } = useQuery({ ...accountQueries.space(space), enabled: space !== '' })
  return (
    <InvoiceDialog
      title={t('create.title')}
      text={t('create.text')}
      confirm={t('create.confirm')}
      done={t('create.done')}
      currency={account?.currency ?? 'USD'}
      fields={[
        { name: 'charge_from_date', kind: 'day', label: t('create.from'), required: true },
        { name: 'charge_to_date', kind: 'day', label: t('create.to'), required: true },
        { name: 'due_date', kind: 'day', label: t('create.due'), help: t('create.dueHelp') },
        { name: 'note', kind: 'words', label: t('create.note'), help: t('create.noteHelp') },
        { name: 'empty', kind: 'switch', label: t('create.empty') },
      ]}
      initial={{ charge_from_date: month.start, charge_to_date: month.end, due_date: '', note: '', empty: 'no' }}
      send={(values) =>
        call(createInvoice, {
          body: {
            space_id: space,
            charge_from_date: values['charge_from_date'] ?? '',
            charge_to_date: values['charge_to_date'] ?? '',
            due_date: values['due_date'] || null,
            note: values['note'] ?? '',
            allow_empty: values['empty'] === 'yes',
          },
        })
      }
      onDone={(answer) => {
        if (typeof answer === 'object' && answer !== null && 'id' in answer && typeof answer.id === 'string')
          void navigate({ to: '/admin/invoice/details/$id', params: { id: answer.id }, ignoreBlocker: true })
      }}
      onClose={onClose}
    >
      {spaceId === null && (
        <Field>
          <FieldLabel>{t('columns.account')}</FieldLabel>
          <AccountFinder label={t('columns.account')} chosen={chosen} onChoose={setChosen} className="w-full" />
        </Field>
      )}
    </InvoiceDialog>
  )
}
