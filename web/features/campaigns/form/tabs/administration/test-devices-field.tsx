import { Plus, Trash2 } from 'lucide-react'
import { useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { FormInput } from '@/features/campaigns/form/form-field'
import { TEST_DEVICES_MAX } from './administration-slice.ts'

const NAME = 'administration.testDevices'

export function TestDevicesField() {
  const { t } = useTranslation('administration')
  const { control } = useCampaignForm()
  const { readOnly } = useFormBase()
  const { fields, append, remove } = useFieldArray({ control, name: NAME, keyName: 'rowKey' })
  const error = useFieldError(NAME)
  return (
    <fieldset className="col-span-2 flex min-w-0 flex-col gap-2">
      <legend className="text-[0.8125rem]/4.5 mb-1 font-medium">{t('testDevices')}</legend>
      <p className="text-muted-foreground text-xs">{t('testDevicesHelp', { max: TEST_DEVICES_MAX })}</p>
      {fields.map((field, index) => (
        <div key={field.rowKey} className="flex items-end gap-2">
          <FormInput
            name={`${NAME}.${index}.value`}
            label={t('testDevice', { number: index + 1 })}
            className="grow [&_label]:sr-only"
            placeholder={t('testDevice', { number: index + 1 })}
          />
          {!readOnly && (
            <Button
              variant="ghost"
              size="icon"
              className="mb-0.5"
              aria-label={t('removeTestDevice', { number: index + 1 })}
              onClick={() => remove(index)}
            >
              <Trash2 aria-hidden />
            </Button>
          )}
        </div>
      ))}
      {error !== undefined && <p className="text-destructive text-xs">{error}</p>}
      {!readOnly && (
        <Button
          variant="outline"
          size="sm"
          className="self-start"
          disabled={fields.length >= TEST_DEVICES_MAX}
          onClick={() => append({ value: '' })}
        >
          <Plus aria-hidden />
          {t('addTestDevice')}
        </Button>
      )}
    </fieldset>
  )
}
