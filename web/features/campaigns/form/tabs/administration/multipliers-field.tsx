import { Plus, Trash2 } from 'lucide-react'
import { useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { FormInput } from '@/features/campaigns/form/form-field'

const NAME = 'administration.multipliers'

export function MultipliersField() {
  const { t } = useTranslation('administration')
  const { control } = useCampaignForm()
  const { readOnly } = useFormBase()
  const { fields, append, remove } = useFieldArray({ control, name: NAME, keyName: 'rowKey' })
  return (
    <div className="col-span-2 flex min-w-0 flex-col gap-2">
      {fields.length === 0 && <p className="text-muted-foreground text-[0.8125rem]/4.5">{t('multipliersNone')}</p>}
      {fields.map((field, index) => (
        <fieldset
          key={field.rowKey}
          aria-label={t('multiplierRow', { number: index + 1 })}
          className="flex min-w-0 items-start gap-2"
        >
          <FormInput name={`${NAME}.${index}.key`} label={t('multiplierKey')} help={t('multiplierKeyHelp')} className="grow" />
          <FormInput name={`${NAME}.${index}.value`} label={t('multiplierValue')} inputMode="decimal" className="w-40" />
          {!readOnly && (
            <Button
              variant="ghost"
              size="icon"
              className="mt-6.5"
              aria-label={t('removeMultiplier', { number: index + 1 })}
              onClick={() => remove(index)}
            >
              <Trash2 aria-hidden />
            </Button>
          )}
        </fieldset>
      ))}
      {!readOnly && (
        <Button variant="outline" size="sm" className="self-start" onClick={() => append({ key: '', value: '1' })}>
          <Plus aria-hidden />
          {t('addMultiplier')}
        </Button>
      )}
    </div>
  )
}
