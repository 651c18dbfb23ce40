import { useTranslation } from 'react-i18next'
import { FieldsDialog } from '@/components/form/fields-dialog'
import type { AuditFilters } from './audit-search.ts'
import { saveQuestion, type SavedQuestion } from './questions.ts'
import { beginning } from '#domain/kit/text'

type SaveQuestionDialogProps = {
  readonly person: string
  readonly filters: AuditFilters
  readonly onSaved: (questions: readonly SavedQuestion[]) => void
  readonly onClose: () => void
}

/** Saves a filter under a name. */
export function SaveQuestionDialog({ person, filters, onSaved, onClose }: SaveQuestionDialogProps) {
  const { t } = useTranslation('audit')
  return (
    <FieldsDialog
      title={t('questions.saveTitle')}
      text={t('questions.saveText')}
      fields={{ name: { label: t('questions.name'), kind: 'text', required: true } }}
      confirm={t('questions.save')}
      send={async ({ name }) => onSaved(saveQuestion(person, beginning(name, 100), filters))}
      done={t('questions.saved')}
      onClose={onClose}
    />
  )
}
