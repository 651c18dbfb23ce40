import { useTranslation } from 'react-i18next'
import { resetFactor, type TeamMember } from '#contract/team'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { call } from '@/data/client'
import { nameOf } from './role-names.ts'

type LostFactorDialogProps = { readonly spaceId: string; readonly person: TeamMember; readonly onClose: () => void }

/** Asks a second person to switch the lost second factor of a person off (fine print 97). */
export function LostFactorDialog({ spaceId: id, person, onClose }: LostFactorDialogProps) {
  const { t } = useTranslation('team')
  const name = nameOf(person)
  return (
    <FieldsDialog
      title={t('lostFactor.title', { name })}
      text={t('lostFactor.text', { name })}
      fields={{ comment: { label: t('lostFactor.comment'), help: t('lostFactor.help'), kind: 'words', required: true } }}
      confirm={t('lostFactor.confirm')}
      send={(body) => call(resetFactor, { params: { id, person: person.id }, body })}
      invalidates={[['approvals']]}
      done={t('lostFactor.done')}
      onClose={onClose}
    />
  )
}
