import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changeCreditLimit, changeSettings, restoreAccount, suspendAccount, type AccountRecord } from '#contract/accounts'
import { spaceCredit } from '#contract/ledger'
import { ACCOUNT_SOURCES, ACCOUNT_TYPES } from '#domain/account/settings'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { FieldsDialog } from '@/components/form/fields-dialog'

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

/** Queries that a change of an account makes out of date. */
const CHANGED = [accountQueries.all(), ['search']]

function SuspensionDialog({ account, onClose, suspends }: OneProps & { readonly suspends: boolean }) {
  const { t } = useTranslation('accounts')
  const { space_id: id, space_name: name, currency } = account
  const texts = suspends ? 'suspendDialog' : 'restoreDialog'
  return (
    <FieldsDialog
      title={t(`${texts}.title`, { name })}
      text={t(`${texts}.text`)}
      confirm={t(`${texts}.confirm`)}
      done={t(`${texts}.done`, { name })}
      tone={suspends ? 'destructive' : 'default'}
      currency={currency}
      fields={{ reason: { kind: 'words', label: t(`${texts}.reason`), required: true } }}
      send={(body) => call(suspends ? suspendAccount : restoreAccount, { params: { id }, body })}
      invalidates={CHANGED}
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
    <FieldsDialog
      title={t('creditDialog.title', { name })}
      text={t('creditDialog.text')}
      confirm={t('creditDialog.confirm')}
      done={(answer) => t(isWaiting(answer) ? 'creditDialog.waiting' : 'limitDialog.done')}
      currency={currency}
      fields={{
        amount: { kind: 'money', label: t('creditDialog.amount'), required: true },
        comment: { kind: 'words', label: t('creditDialog.comment'), required: true },
      }}
      send={(body) => call(spaceCredit, { params: { id }, body })}
      invalidates={CHANGED}
      onClose={onClose}
    />
  )
}

function LimitDialog({ account, onClose }: OneProps) {
  const { t } = useTranslation('accounts')
  const { space_id: id, space_name: name, currency, credit_limit } = account
  return (
    <FieldsDialog
      title={t('limitDialog.title', { name })}
      text={t('limitDialog.text')}
      confirm={t('limitDialog.confirm')}
      done={(answer) => t(isWaiting(answer) ? 'creditDialog.waiting' : 'limitDialog.done')}
      currency={currency}
      fields={{ credit_limit: { kind: 'money', label: t('limitDialog.amount'), required: true, initial: credit_limit } }}
      send={(body) => call(changeCreditLimit, { params: { id }, body })}
      invalidates={CHANGED}
      onClose={onClose}
    />
  )
}

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
    <FieldsDialog
      title={t('settingsDialog.title', { name })}
      text={t('settingsDialog.text')}
      confirm={t('settingsDialog.confirm')}
      done={t('settingsDialog.done')}
      currency={currency}
      fields={{
        account_type: {
          kind: 'choice',
          label: t('fields.account_type'),
          initial: account.account_type,
          options: [unset, ...ACCOUNT_TYPES.map((type) => ({ value: type, label: t(`types.${type}`) }))],
        },
        source: {
          kind: 'choice',
          label: t('fields.source'),
          initial: account.source,
          options: [
            unset,
            ...ACCOUNT_SOURCES.map((source) => ({ value: source, label: t(`sources.${source}`) })),
            ...(isOwnSource ? [{ value: account.source ?? '', label: account.source ?? '' }] : []),
          ],
        },
        niche: { kind: 'text', label: t('fields.niche'), initial: account.niche },
        position: { kind: 'text', label: t('fields.position'), initial: account.job_title },
        manager_id: {
          kind: 'choice',
          label: t('fields.manager_id'),
          initial: account.manager_id,
          options: [
            { value: '', label: t('settingsDialog.noManager') },
            ...known.map((person) => ({ value: person.id, label: person.name })),
          ],
        },
        invoice_due_day: {
          kind: 'number',
          label: t('fields.invoice_due_day'),
          help: t('settingsDialog.dueHelp'),
          initial: account.invoice_due_day,
        },
        rewarded_ads_cpm_rate: {
          kind: 'number',
          label: t('fields.rewarded_ads_cpm_rate'),
          help: t('settingsDialog.rateHelp'),
          required: true,
          initial: account.rewarded_ads_cpm_rate,
        },
        max_margin: {
          kind: 'number',
          label: t('fields.max_margin'),
          help: t('settingsDialog.marginHelp'),
          initial: account.max_margin,
        },
        base_bid: { kind: 'money', label: t('fields.base_bid'), help: t('settingsDialog.bidHelp'), initial: account.base_bid },
        allow_make_payment: {
          kind: 'switch',
          label: t('fields.allow_make_payment'),
          initial: account.settings.allow_make_payment,
        },
      }}
      send={({ account_type, source, niche, position, manager_id, ...values }) =>
        call(changeSettings, {
          params: { id },
          body: {
            ...values,
            account_type: account_type || null,
            source: source || null,
            niche: niche || null,
            position: position || null,
            manager_id: manager_id || null,
          },
        })
      }
      invalidates={CHANGED}
      onClose={onClose}
    />
  )
}
