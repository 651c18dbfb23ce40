import { useTranslation } from 'react-i18next'
import type { CannedReason, ChecklistLine } from '#contract/review-guidelines'
import { FieldsDialog, type DialogValues } from '@/components/form/fields-dialog'
import { GUIDELINE_KEYS, saveEntry, withEntry } from './guidelines-queries.ts'

type DialogProps = {
  readonly whiteLabel: string
  /** The place of the entry; after the last one, it is a new one. */
  readonly at: number
  readonly onClose: () => void
}

const inBoth = (values: DialogValues, name: string) => ({ en: values[`${name}_en`] ?? '', ru: values[`${name}_ru`] ?? '' })

/** Adds or changes a canned reason. */
export function ReasonDialog({ whiteLabel, reasons, at, onClose }: DialogProps & { readonly reasons: readonly CannedReason[] }) {
  const { t } = useTranslation('settings')
  const reason = reasons[at]
  return (
    <FieldsDialog
      title={t(reason === undefined ? 'guidelines.reasons.add' : 'guidelines.reasons.edit')}
      text={t('guidelines.reasons.dialogText')}
      fields={[
        { name: 'title_en', label: t('guidelines.field.title_en'), kind: 'text', required: true },
        { name: 'title_ru', label: t('guidelines.field.title_ru'), kind: 'text', required: true },
        { name: 'text_en', label: t('guidelines.field.text_en'), kind: 'words', required: true },
        { name: 'text_ru', label: t('guidelines.field.text_ru'), kind: 'words', required: true },
        { name: 'topic', label: t('guidelines.field.topic'), kind: 'text', help: t('guidelines.field.topicHelp') },
        { name: 'active', label: t('guidelines.field.active'), kind: 'switch' },
      ]}
      initial={{
        title_en: reason?.title.en ?? '',
        title_ru: reason?.title.ru ?? '',
        text_en: reason?.text.en ?? '',
        text_ru: reason?.text.ru ?? '',
        topic: reason?.topic ?? '',
        active: reason?.active === false ? 'no' : 'yes',
      }}
      currency=""
      confirm={t('guidelines.save')}
      send={(values) => {
        const next = {
          title: inBoth(values, 'title'),
          text: inBoth(values, 'text'),
          topic: values['topic'] ?? '',
          active: values['active'] === 'yes',
        }
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
      fields={[
        { name: 'line_en', label: t('guidelines.field.line_en'), kind: 'text', required: true },
        { name: 'line_ru', label: t('guidelines.field.line_ru'), kind: 'text', required: true },
      ]}
      initial={{ line_en: line?.en ?? '', line_ru: line?.ru ?? '' }}
      currency=""
      confirm={t('guidelines.save')}
      send={(values) => saveEntry(whiteLabel, { review_checklist: withEntry(lines, at, inBoth(values, 'line')) })}
      invalidates={GUIDELINE_KEYS}
      done={t('guidelines.saved')}
      onClose={onClose}
    />
  )
}
