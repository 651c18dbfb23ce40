import { useTranslation } from 'react-i18next'
import type { CannedReason, ChecklistLine } from '#contract/review-guidelines'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { GUIDELINE_KEYS, saveEntry, withEntry } from './guidelines-queries.ts'

type DialogProps = {
  readonly whiteLabel: string
  /** The place of the entry; after the last one, it is a new one. */
  readonly at: number
  readonly onClose: () => void
}

/** Adds or changes a canned reason. */
export function ReasonDialog({ whiteLabel, reasons, at, onClose }: DialogProps & { readonly reasons: readonly CannedReason[] }) {
  const { t } = useTranslation('settings')
  const reason = reasons[at]
  return (
    <FieldsDialog
      title={t(reason === undefined ? 'guidelines.reasons.add' : 'guidelines.reasons.edit')}
      text={t('guidelines.reasons.dialogText')}
      fields={{
        title_en: { label: t('guidelines.field.title_en'), kind: 'text', required: true, initial: reason?.title.en ?? '' },
        title_ru: { label: t('guidelines.field.title_ru'), kind: 'text', required: true, initial: reason?.title.ru ?? '' },
        text_en: { label: t('guidelines.field.text_en'), kind: 'words', required: true, initial: reason?.text.en ?? '' },
        text_ru: { label: t('guidelines.field.text_ru'), kind: 'words', required: true, initial: reason?.text.ru ?? '' },
        topic: {
          label: t('guidelines.field.topic'),
          kind: 'text',
          help: t('guidelines.field.topicHelp'),
          initial: reason?.topic ?? '',
        },
        active: { label: t('guidelines.field.active'), kind: 'switch', initial: reason?.active !== false },
      }}
      confirm={t('guidelines.save')}
      send={({ title_en, title_ru, text_en, text_ru, topic, active }) => {
        const next = { title: { en: title_en, ru: title_ru }, text: { en: text_en, ru: text_ru }, topic, active }
        return saveEntry(whiteLabel, { reject_reasons: withEntry(reasons, at, next) })
      }}
      invalidates={GUIDELINE_KEYS}
      done={t('guidelines.saved')}
      onClose={onClose}
    />
  )
}

/** Adds or changes a line of the checklist. */
export function LineDialog({ whiteLabel, lines, at, onClose }: DialogProps & { readonly lines: readonly ChecklistLine[] }) {
  const { t } = useTranslation('settings')
  const line = lines[at]
  return (
    <FieldsDialog
      title={t(line === undefined ? 'guidelines.checklist.add' : 'guidelines.checklist.edit')}
      text={t('guidelines.checklist.dialogText')}
      fields={{
        line_en: { label: t('guidelines.field.line_en'), kind: 'text', required: true, initial: line?.en ?? '' },
        line_ru: { label: t('guidelines.field.line_ru'), kind: 'text', required: true, initial: line?.ru ?? '' },
      }}
      confirm={t('guidelines.save')}
      send={({ line_en: en, line_ru: ru }) => saveEntry(whiteLabel, { review_checklist: withEntry(lines, at, { en, ru }) })}
      invalidates={GUIDELINE_KEYS}
      done={t('guidelines.saved')}
      onClose={onClose}
    />
  )
}
