import { useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { withQuery } from '#domain/kit/addresses'
import { ATTRIBUTION_TEMPLATE, MOST_ATTRIBUTION_ROWS } from '#domain/campaign/content/attribution'
import { Button } from '@/components/ui/button'
import { LabelledField, FieldInput } from '@/components/form/labelled-field'
import { useCampaignForm, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FormInput } from '@/features/campaigns/form/form-field'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { RowList } from './row-list.tsx'
import { tagRows, tagsOfRows, type TagRow } from './tag-rows.ts'
import { TagValue } from './tag-value.tsx'

const NAME = 'setup.attribution'
const TAGS = 'setup.tags'

/** The advertiser's own parameters, and the tags that identify the source of visits (decisions G-049). */
export function AttributionFields() {
  const { t } = useTranslation('form')
  const { control } = useCampaignForm()
  const { fields, append, remove } = useFieldArray({ control, name: NAME, keyName: 'rowKey' })
  return (
    <>
      <RowList
        name={NAME}
        title={t('setup.attribution')}
        help={t('setup.attributionHelp', { max: MOST_ATTRIBUTION_ROWS })}
        add={t('setup.addParameter')}
        most={MOST_ATTRIBUTION_ROWS}
        rows={fields.map(({ rowKey }) => rowKey)}
        onAdd={() => append({ name: '', value: '' })}
        onRemove={remove}
      >
        {(index) => (
          <>
            <FormInput
              name={`${NAME}.${index}.name`}
              label={t('setup.parameterName', { number: index + 1 })}
              placeholder="aff_id"
              spellCheck={false}
              className="w-1/3 [&_label]:sr-only"
            />
            <ParameterValue index={index} />
          </>
        )}
      </RowList>
      <TagsField />
    </>
  )
}

function ParameterValue({ index }: { readonly index: number }) {
  const { t } = useTranslation('form')
  const { value, set, ref, disabled } = useSliceField(`${NAME}.${index}.value`)
  return (
    <TagValue
      label={t('setup.parameterValue', { number: index + 1 })}
      value={value}
      readOnly={disabled}
      ref={ref}
      onChange={set}
    />
  )
}

/** Parameters added to the landing page: the platform's own tags until the user changes them. */
function TagsField() {
  const { t } = useTranslation('form')
  const { value: tags, set, disabled: readOnly } = useSliceField(TAGS)
  const productUrl = useFormValue('productUrl').trim()
  const own = tags !== ATTRIBUTION_TEMPLATE
  const rows = tagRows(tags)
  const change = (next: readonly TagRow[]) => set(tagsOfRows(next))
  const patch = (index: number, part: Partial<TagRow>) =>
    change(rows.map((row, place) => (place === index ? { ...row, ...part } : row)))
  const query = tagsOfRows(rows)
  return (
    <>
      <RowList
        name={TAGS}
        title={t('setup.tags')}
        help={t(own ? 'setup.tagsOwn' : 'setup.tagsGenerated')}
        add={t('setup.addTag')}
        most={MOST_ATTRIBUTION_ROWS}
        // The index is a valid key here: rows have no state of their own.
        rows={rows.map((_, index) => String(index))}
        onAdd={() => change([...rows, { name: '', value: '' }])}
        onRemove={(index) => change(rows.filter((_, place) => place !== index))}
      >
        {(index) => (
          <>
            <LabelledField label={t('setup.tagName', { number: index + 1 })} className="w-1/3 [&_label]:sr-only">
              <FieldInput
                autoComplete="off"
                spellCheck={false}
                readOnly={readOnly}
                value={rows[index]?.name ?? ''}
                onChange={({ target }) => patch(index, { name: target.value })}
              />
            </LabelledField>
            <TagValue
              label={t('setup.tagValue', { number: index + 1 })}
              value={rows[index]?.value ?? ''}
              readOnly={readOnly}
              onChange={(value) => patch(index, { value })}
            />
          </>
        )}
      </RowList>
      <div className="col-span-2 flex flex-col items-start gap-2">
        {own && !readOnly && (
          <Button variant="outline" size="sm" onClick={() => set(ATTRIBUTION_TEMPLATE)}>
            {t('setup.tagsReset')}
          </Button>
        )}
        {productUrl !== '' && query !== '' && (
          <p className="text-muted-foreground text-xs break-all">
            {t('setup.tagsPreview')} <span data-testid="tags-preview">{withQuery(productUrl, query)}</span>
          </p>
        )}
      </div>
    </>
  )
}
