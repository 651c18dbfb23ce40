import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changeCreditLimit, changeSettings, restoreAccount, suspendAccount, type AccountRecord } from '#contract/accounts'
import { spaceCredit } from '#contract/ledger'
import { ACCOUNT_SOURCES, ACCOUNT_TYPES } from '#domain/account/settings'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { numberOf, signedOf, textOf } from '@/components/form/fields-dialog'
import { AccountDialog } from './account-dialog.tsx'

export type AccountAction = 'suspend' | 'restore' | 'credit' | 'limit' | 'settings'

type AccountDialogsProps = {
  readonly account: AccountRecord
  readonly action: AccountAction | null
  readonly onClose: () => void
}

/** The dialogs of an account's actions. */
export function AccountDialogs({ account, action, onClose }: AccountDialogsProps) {
  const props = { account, onClose }
  switch (action) {
    case 'suspend':
    case 'restore':
      return <SuspensionDialog {...props} suspends={action === 'suspend'} />
    case 'credit':
      return <CreditDialog {...props} />
    case 'limit':
      return <LimitDialog {...props} />
    case 'settings':
      return <SettingsDialog {...props} />
    case null:
      return null
  }
}

type OneProps = Omit<AccountDialogsProps, 'action'>

function SuspensionDialog({ account, onClose, suspends }: OneProps & { readonly suspends: boolean }) {
  const { t } = useTranslation('accounts')
  const { space_id: id, space_name: name, currency } = account
  const texts = suspends ? 'suspendDialog' : 'restoreDialog'
  return (
    <AccountDialog
      title={t(`${texts}.title`, { name })}
      text={t(`${texts}.text`)}
      confirm={t(`${texts}.confirm`)}
      done={t(`${texts}.done`, { name })}
      tone={suspends ? 'destructive' : 'default'}
      currency={currency}
      fields={[{ name: 'reason', kind: 'words', label: t(`${texts}.reason`), required: true }]}
      initial={{ reason: '' }}
      send={(values) =>
        call(suspends ? suspendAccount : restoreAccount, { params: { id }, body: { reason: textOf(values, 'reason') ?? '' } })
      }
      onClose={onClose}
    />
  )
}

/** Whether a second owner must confirm what was sent. */
const isWaiting = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'stage' in answer && answer.stage === 'pending'

function CreditDialog({ account, onClose }: OneProps) {
  const { t } = useTranslation('accounts')
  const { space_id: id, space_name: name, currency } = account
  return (
    <AccountDialog
      title={t('creditDialog.title', { name })}
      text={t('creditDialog.text')}
      confirm={t('creditDialog.confirm')}
      done={(answer) => t(isWaiting(answer) ? 'creditDialog.waiting' : 'limitDialog.done')}
      currency={currency}
      fields={[
        { name: 'amount', kind: 'money', label: t('creditDialog.amount'), required: true },
        { name: 'comment', kind: 'words', label: t('creditDialog.comment'), required: true },
      ]}
      initial={{ amount: '', comment: '' }}
      send={(values) =>
        call(spaceCredit, {
          params: { id },
          body: { amount: signedOf(values, 'amount'), comment: textOf(values, 'comment') ?? '' },
        })
      }
      onClose={onClose}
    />
  )
}

function LimitDialog({ account, onClose }: OneProps) {
  const { t } = useTranslation('accounts')
  const { space_id: id, space_name: name, currency, credit_limit } = account
  return (
    <AccountDialog
      title={t('limitDialog.title', { name })}
      text={t('limitDialog.text')}
      confirm={t('limitDialog.confirm')}
      done={(answer) => t(isWaiting(answer) ? 'creditDialog.waiting' : 'limitDialog.done')}
      currency={currency}
      fields={[{ name: 'credit_limit', kind: 'money', label: t('limitDialog.amount'), required: true }]}
      initial={{ credit_limit: String(credit_limit) }}
      send={(values) => call(changeCreditLimit, { params: { id }, body: { credit_limit: signedOf(values, 'credit_limit') } })}
      onClose={onClose}
    />
  )
}

const typed = (value: number | string | null): string => (value === null ? '' : String(value))

function SettingsDialog({ account, onClose }: OneProps) {
  const { t } = useTranslation('accounts')
  const { space_id: id, space_name: name, currency, whitelabel_id } = account
  const { data: managers } = useQuery(accountQueries.staff(whitelabel_id))
  const chosen = account.manager_id
  const people = managers?.people ?? []
  const known =
    chosen === null || people.some((person) => person.id === chosen) ? people : [{ id: chosen, name: chosen }, ...people]
  const sources: readonly string[] = ACCOUNT_SOURCES
  const isOwnSource = account.source !== null && !sources.includes(account.source)
  const unset = { value: '', label: t('unset') }
  return (
    <AccountDialog
      title={t('settingsDialog.title', { name })}
      text={t('settingsDialog.text')}
      confirm={t('settingsDialog.confirm')}
      done={t('settingsDialog.done')}
      currency={currency}
      fields={[
        {
          name: 'account_type',
          kind: 'choice',
          label: t('fields.account_type'),
          options: [unset, ...ACCOUNT_TYPES.map((type) => ({ value: type, label: t(`types.${type}`) }))],
        },
        {
          name: 'source',
          kind: 'choice',
          label: t('fields.source'),
          options: [
            unset,
            ...ACCOUNT_SOURCES.map((source) => ({ value: source, label: t(`sources.${source}`) })),
            ...(isOwnSource ? [{ value: account.source ?? '', label: account.source ?? '' }] : []),
          ],
        },
        { name: 'niche', kind: 'text', label: t('fields.niche') },
        { name: 'position', kind: 'text', label: t('fields.position') },
        {
          name: 'manager_id',
          kind: 'choice',
          label: t('fields.manager_id'),
          options: [
            { value: '', label: t('settingsDialog.noManager') },
            ...known.map((person) => ({ value: person.id, label: person.name })),
          ],
        },
        { name: 'invoice_due_day', kind: 'number', label: t('fields.invoice_due_day'), help: t('settingsDialog.dueHelp') },
        {
          name: 'rewarded_ads_cpm_rate',
          kind: 'number',
          label: t('fields.rewarded_ads_cpm_rate'),
          help: t('settingsDialog.rateHelp'),
          required: true,
        },
        { name: 'max_margin', kind: 'number', label: t('fields.max_margin'), help: t('settingsDialog.marginHelp') },
        { name: 'base_bid', kind: 'money', label: t('fields.base_bid'), help: t('settingsDialog.bidHelp') },
        { name: 'allow_make_payment', kind: 'switch', label: t('fields.allow_make_payment') },
      ]}
      initial={{
        account_type: typed(account.account_type),
        source: typed(account.source),
        niche: typed(account.niche),
        position: typed(account.job_title),
        manager_id: typed(account.manager_id),
        invoice_due_day: typed(account.invoice_due_day),
        rewarded_ads_cpm_rate: typed(account.rewarded_ads_cpm_rate),
        max_margin: typed(account.max_margin),
        base_bid: typed(account.base_bid),
        allow_make_payment: account.settings.allow_make_payment ? 'yes' : 'no',
      }}
      send={(values) =>
        call(changeSettings, {
          params: { id },
          body: {
            account_type: textOf(values, 'account_type'),
            source: textOf(values, 'source'),
            niche: textOf(values, 'niche'),
            position: textOf(values, 'position'),
            manager_id: textOf(values, 'manager_id'),
            invoice_due_day: numberOf(values, 'invoice_due_day'),
            rewarded_ads_cpm_rate: numberOf(values, 'rewarded_ads_cpm_rate') ?? 1,
            max_margin: numberOf(values, 'max_margin'),
            base_bid: numberOf(values, 'base_bid'),
            allow_make_payment: values['allow_make_payment'] === 'yes',
          },
        })
      }
      onClose={onClose}
    />
  )
}
