import { Plus, X } from 'lucide-react'
import { useFieldArray } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { useTranslation } from 'react-i18next'
import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { CreativeText } from '@/features/campaigns/form/creatives/creative-text'
import { MAX_ROWS, nextIndex } from './responsive-slice.ts'

type TextRowsProps = {
  readonly list: 'titles' | 'descriptions'
  readonly max: number
  readonly labelOf: (number: number) => string
  readonly add: string
}

/** Variants of one text. Each keeps its index when its position changes. */
export function TextRows({ list, max, labelOf, add }: TextRowsProps) {
  const { t } = useTranslation('creatives')
  const { control } = useCampaignForm()
  const { readOnly } = useFormBase()
  const { fields, append, remove } = useFieldArray({ control, name: `responsive.${list}`, keyName: 'rowKey' })
  return (
    <>
      {fields.map(({ rowKey }, place) => {
        const label = labelOf(place + 1)
        return (
          <CreativeText
            key={rowKey}
            name={`responsive.${list}.${place}.value`}
            label={label}
            max={max}
            action={
              !readOnly &&
              fields.length > 1 && (
                <Button
                  variant="ghost"
                  size="icon"
                  className="mt-0.5"
                  aria-label={t('removeNamed', { name: label })}
                  onClick={() => remove(place)}
                >
                  <X aria-hidden />
                </Button>
              )
            }
          />
        )
      })}
      {!readOnly && (
        <Button
          variant="ghost"
          size="sm"
          className="col-span-2 -mt-3 justify-self-start"
          disabled={fields.length >= MAX_ROWS}
          onClick={() => append({ index: nextIndex(fields), value: '' })}
        >
          <Plus aria-hidden />
          {add}
        </Button>
      )}
    </>
  )
}
