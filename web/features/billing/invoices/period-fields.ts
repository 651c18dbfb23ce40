import { useTranslation } from 'react-i18next'

type Period = {
  readonly charge_from_date: string
  readonly charge_to_date: string
  readonly due_date: string
  readonly note: string
}

/** The fields of a draft: the period, when it is due, and the note. */
export function usePeriodFields(initial: Period) {
  const { t } = useTranslation('invoices')
  return {
    charge_from_date: { kind: 'day', label: t('create.from'), required: true, initial: initial.charge_from_date },
    charge_to_date: { kind: 'day', label: t('create.to'), required: true, initial: initial.charge_to_date },
    due_date: { kind: 'day', label: t('create.due'), help: t('create.dueHelp'), initial: initial.due_date },
    note: { kind: 'words', label: t('create.note'), help: t('create.noteHelp'), initial: initial.note },
  } as const
}
