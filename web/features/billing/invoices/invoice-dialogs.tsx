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
import { signedOf } from '@/components/form/fields-dialog'
import { formatMoney } from '@/components/money'
import { call } from '@/data/client'
import { useToday } from '@/lib/clock'
import { toDay } from '@/lib/date-range'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { cardQueries } from '../cards/cards-queries.ts'
import { formatDocumentMoney, typedMoney } from './document-money.ts'
import { InvoiceDialog } from './invoice-dialog.tsx'

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
  const shared = { currency, onClose }
  const comment = (required: boolean) => ({ name: 'comment', kind: 'words' as const, label: t('facts.comment'), required })
  const textOf = (name: 'edit' | 'delete' | 'log' | 'pay' | 'void' | 'credit') => ({
    title: t(`${name}Dialog.title`, { number }),
    confirm: t(`${name}Dialog.confirm`),
    done: (answer: unknown) => t(isWaiting(answer) ? 'waiting' : `${name}Dialog.done`),
  })
  switch (action) {
    case 'edit':
      return (
        <InvoiceDialog
          {...shared}
          {...textOf('edit')}
          text={t('create.text')}
          fields={[
            { name: 'charge_from_date', kind: 'day', label: t('create.from'), required: true },
            { name: 'charge_to_date', kind: 'day', label: t('create.to'), required: true },
            { name: 'due_date', kind: 'day', label: t('create.due'), help: t('create.dueHelp') },
            { name: 'note', kind: 'words', label: t('create.note'), help: t('create.noteHelp') },
          ]}
          initial={{
            charge_from_date: invoice.charge_from_date,
            charge_to_date: invoice.charge_to_date,
            due_date: invoice.due_date ?? '',
            note: invoice.note,
          }}
          send={(values) =>
            call(saveInvoice, {
              params,
              body: {
                charge_from_date: values['charge_from_date'] ?? '',
                charge_to_date: values['charge_to_date'] ?? '',
                due_date: values['due_date'] || null,
                note: values['note'] ?? '',
              },
            })
          }
        />
      )
    case 'delete':
      return (
        <InvoiceDialog
          {...shared}
          {...textOf('delete')}
          text={t('deleteDialog.text')}
          tone="destructive"
          fields={[]}
          initial={{}}
          send={() => call(deleteInvoice, { params })}
          onDone={() => void navigate({ to: '/admin/payments', ignoreBlocker: true })}
        />
      )
    case 'send':
      return (
        <InvoiceDialog
          {...shared}
          title={t(status === INVOICE_STATUS.draft ? 'sendDialog.title' : 'sendDialog.again', { number })}
          text={t(status === INVOICE_STATUS.draft ? 'sendDialog.text' : 'sendDialog.againText')}
          confirm={t('sendDialog.confirm')}
          done={t('sendDialog.done')}
          fields={[{ name: 'emails', kind: 'text', label: t('sendDialog.emails'), help: t('sendDialog.emailsHelp') }]}
          initial={{ emails: '' }}
          send={(values) =>
            call(sendInvoice, { params, body: { emails: (values['emails'] ?? '').split(/[\s,;]+/).filter(Boolean) } })
          }
        />
      )
    case 'log':
      return (
        <InvoiceDialog
          {...shared}
          {...textOf('log')}
          text={t('logDialog.text', { due: formatDocumentMoney(due, currency) })}
          fields={[
            { name: 'amount', kind: 'money', label: t('payments.amount'), required: true },
            { name: 'paid_at', kind: 'day', label: t('payments.date'), required: true },
            {
              name: 'method',
              kind: 'choice',
              label: t('payments.type'),
              options: METHODS.map((method) => ({ value: method, label: t(`methods.${method}`) })),
            },
            {
              name: 'reference',
              kind: 'text',
              label: t('logDialog.reference'),
              help: t('logDialog.referenceHelp'),
              required: true,
            },
            comment(false),
            { name: 'force', kind: 'switch', label: t('logDialog.force') },
          ]}
          initial={{
            amount: typedMoney(due, currency),
            paid_at: today,
            method: 'bank_transfer',
            reference: '',
            comment: '',
            force: 'no',
          }}
          send={(values) =>
            call(logPayment, {
              params,
              body: {
                amount: signedOf(values, 'amount'),
                paid_at: values['paid_at'] ?? null,
                method: values['method'] ?? null,
                reference: values['reference'] ?? '',
                comment: values['comment'] ?? '',
                force: values['force'] === 'yes',
              },
            })
          }
        />
      )
    case 'pay':
      return (
        <InvoiceDialog
          {...shared}
          {...textOf('pay')}
          text={t('payDialog.text', { funds: formatMoney(funds ?? 0, currency) })}
          fields={[
            ...(cards.length === 0
              ? []
              : [
                  {
                    name: 'payment_method_id',
                    kind: 'choice' as const,
                    label: t('payDialog.source'),
                    options: [
                      { value: '', label: t('payDialog.balance') },
                      ...cards.map(({ id: card, brand_label: brand, last4 }) => ({
                        value: card,
                        label: `${brand} •••• ${last4}`,
                      })),
                    ],
                  },
                ]),
            { name: 'amount', kind: 'money', label: t('payments.amount'), required: true },
            comment(false),
          ]}
          initial={{ payment_method_id: '', amount: typedMoney(due, currency), comment: '' }}
          send={(values) =>
            call(payManually, {
              params,
              body: {
                ...(values['payment_method_id'] ? { payment_method_id: values['payment_method_id'] } : { from_balance: true }),
                amount: signedOf(values, 'amount'),
                comment: values['comment'] ?? '',
              },
            })
          }
        />
      )
    case 'void':
      return (
        <InvoiceDialog
          {...shared}
          {...textOf('void')}
          text={t('voidDialog.text')}
          tone="destructive"
          fields={[comment(true)]}
          initial={{ comment: '' }}
          send={(values) => call(voidInvoice, { params, body: { comment: values['comment'] ?? '' } })}
        />
      )
    case 'credit':
      return (
        <InvoiceDialog
          {...shared}
          {...textOf('credit')}
          text={t('creditDialog.text')}
          fields={[{ name: 'amount', kind: 'money', label: t('payments.amount'), required: true }, comment(true)]}
          initial={{ amount: '', comment: '' }}
          send={(values) =>
            call(creditInvoice, { params, body: { amount: signedOf(values, 'amount'), comment: values['comment'] ?? '' } })
          }
        />
      )
  }
}
