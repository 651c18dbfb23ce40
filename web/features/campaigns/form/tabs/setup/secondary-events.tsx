import { useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useCampaignForm } from '@/features/campaigns/form/campaign-form-context'
import { FormInput } from '@/features/campaigns/form/form-field'
import { RowList } from './row-list.tsx'
import { MOST_SECONDARY_EVENTS } from './setup-slice.ts'

const NAME = 'setup.secondaryEvents'

export function SecondaryEvents() {
  const { t } = useTranslation('form')
  const { control } = useCampaignForm()
  const { fields, append, remove } = useFieldArray({ control, name: NAME, keyName: 'rowKey' })
  return (
    <RowList
      name={NAME}
      title={t('setup.secondaryEvents')}
      help={t('setup.secondaryEventsHelp', { max: MOST_SECONDARY_EVENTS })}
      add={t('setup.addEvent')}
      most={MOST_SECONDARY_EVENTS}
      rows={fields.map(({ rowKey }) => rowKey)}
      onAdd={() => append({ value: '' })}
      onRemove={remove}
    >
      {(index) => (
        <FormInput
          name={`${NAME}.${index}.value`}
          label={t('setup.event', { number: index + 1 })}
          placeholder={t('setup.event', { number: index + 1 })}
          className="grow [&_label]:sr-only"
        />
      )}
    </RowList>
  )
}
