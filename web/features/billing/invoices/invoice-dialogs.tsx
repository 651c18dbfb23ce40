import { INVOICE_STATUS } from '#domain/invoice/invoice-status'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  creditInvoice,
  deleteInvoice,
  logPayment,
  payManually,
  saveInvoice,
  sendInvoice,
  voidInvoice,
  type InvoiceDetails,
} from '#contract/invoices'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { formatMoney } from '@/components/money'
import { call } from '@/data/client'
import { useToday } from '@/lib/clock'
import { toDay } from '@/lib/date-range'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { cardQueries } from '../cards/cards-queries.ts'
import { formatDocumentMoney, typedMoney } from './document-money.ts'
import { changedByInvoices } from './invoice-queries.ts'
import { usePeriodFields } from './period-fields.ts'

export type InvoiceAction = 'edit' | 'delete' | 'send' | 'log' | 'pay' | 'void' | 'credit'

type InvoiceDialogsProps = {
  readonly invoice: InvoiceDetails
  readonly action: InvoiceAction
  readonly onClose: () => void
}

/** Whether a second user must confirm what was sent. */
const isWaiting = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'stage' in answer && answer.stage === 'pending'

const METHODS = ['bank_transfer', 'cash', 'cheque', 'other'] as const

/** The dialogs of the steps of an invoice. */
export function InvoiceDialogs({ invoice, action, onClose }: InvoiceDialogsProps) {
  const { t } = useTranslation('invoices')
  const navigate = useNavigate()
  const today = toDay(useToday())
  // Only users who may refill by a card pay by it.
  const paysByCard = can(useMe(), 'card.write')
  const { data: methods } = useQuery({ ...cardQueries.methods(invoice.space_id), enabled: action === 'pay' && paysByCard })
  const cards = paysByCard ? (methods?.paymentMethods ?? []) : []
  const { id, currency, balance_due: due, status, unassigned_funds: funds } = invoice
  const number = invoice.number ?? t('draft')
  const params = { id }
  const shared = { currency, invalidates: changedByInvoices(), onClose }
  const periodFields = usePeriodFields({ ...invoice, due_date: invoice.due_date ?? '' })
  const comment = (required: boolean) => ({ kind: 'words' as const, label: t('facts.comment'), required })
  const amount = { kind: 'money', label: t('payments.amount'), required: true } as const
  const textOf = (name: 'edit' | 'delete' | 'log' | 'pay' | 'void' | 'credit') => ({
    title: t(`${name}Dialog.title`, { number }),
    confirm: t(`${name}Dialog.confirm`),
    done: (answer: unknown) => t(isWaiting(answer) ? 'waiting' : `${name}Dialog.done`),
  })
  switch (action) {
    case 'edit':
      return (
        <FieldsDialog
          {...shared}
          {...textOf('edit')}
          text={t('create.text')}
          fields={periodFields}
          send={({ due_date, ...body }) => call(saveInvoice, { params, body: { ...body, due_date: due_date || null } })}
        />
      )
    case 'delete':
      return (
        <FieldsDialog
          {...shared}
          {...textOf('delete')}
          text={t('deleteDialog.text')}
          tone="destructive"
          fields={{}}
          send={() => call(deleteInvoice, { params })}
          onDone={() => void navigate({ to: '/admin/payments', ignoreBlocker: true })}
        />
      )
    case 'send':
      return (
        <FieldsDialog
          {...shared}
          title={t(status === INVOICE_STATUS.draft ? 'sendDialog.title' : 'sendDialog.again', { number })}
          text={t(status === INVOICE_STATUS.draft ? 'sendDialog.text' : 'sendDialog.againText')}
          confirm={t('sendDialog.confirm')}
          done={t('sendDialog.done')}
          fields={{ emails: { kind: 'text', label: t('sendDialog.emails'), help: t('sendDialog.emailsHelp') } }}
          send={({ emails }) => call(sendInvoice, { params, body: { emails: emails.split(/[\s,;]+/).filter(Boolean) } })}
        />
      )
    case 'log':
      return (
        <FieldsDialog
          {...shared}
          {...textOf('log')}
          text={t('logDialog.text', { due: formatDocumentMoney(due, currency) })}
          fields={{
            amount: { ...amount, initial: typedMoney(due, currency) },
            paid_at: { kind: 'day', label: t('payments.date'), required: true, initial: today },
            method: {
              kind: 'choice',
              label: t('payments.type'),
              initial: 'bank_transfer',
              options: METHODS.map((method) => ({ value: method, label: t(`methods.${method}`) })),
            },
            reference: {
              kind: 'text',
              label: t('logDialog.reference'),
              help: t('logDialog.referenceHelp'),
              required: true,
            },
            comment: comment(false),
            force: { kind: 'switch', label: t('logDialog.force') },
          }}
          send={(body) => call(logPayment, { params, body })}
        />
      )
    case 'pay':
      return (
        <FieldsDialog
          {...shared}
          {...textOf('pay')}
          text={t('payDialog.text', { funds: formatMoney(funds ?? 0, currency) })}
          fields={{
            ...(cards.length > 0 && {
              payment_method_id: {
                kind: 'choice',
                label: t('payDialog.source'),
                options: [
                  { value: '', label: t('payDialog.balance') },
                  ...cards.map(({ id: card, brand_label: brand, last4 }) => ({ value: card, label: `${brand} •••• ${last4}` })),
                ],
              },
            }),
            amount: { ...amount, initial: typedMoney(due, currency) },
            comment: comment(false),
          }}
          send={({ payment_method_id: card, ...body }) =>
            call(payManually, { params, body: { ...(card ? { payment_method_id: card } : { from_balance: true }), ...body } })
          }
        />
      )
    case 'void':
      return (
        <FieldsDialog
          {...shared}
          {...textOf('void')}
          text={t('voidDialog.text')}
          tone="destructive"
          fields={{ comment: comment(true) }}
          send={(body) => call(voidInvoice, { params, body })}
        />
      )
    case 'credit':
      return (
        <FieldsDialog
          {...shared}
          {...textOf('credit')}
          text={t('creditDialog.text')}
          fields={{ amount, comment: comment(true) }}
          send={(body) => call(creditInvoice, { params, body })}
        />
      )
  }
}
