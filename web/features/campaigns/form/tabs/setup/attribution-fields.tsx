import { useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ATTRIBUTION_TEMPLATE, generatedTags, MOST_ATTRIBUTION_ROWS } from '../../../../../../domain/campaign/attribution.ts'
import { ATTRIBUTION_TAGS } from '../../../../../../domain/campaign/options.ts'
import { Button } from '../../../../../components/ui/button.tsx'
import { Field, Textarea } from '../../../../../components/ui/field.tsx'
import { useCampaignForm, useFieldError, useFormValue } from '../../campaign-form-context.ts'
import { FormInput } from '../../form-field.tsx'
import { useSliceField } from '../../slices/use-slice-field.ts'
import { RowList } from './row-list.tsx'

const NAME = 'setup.attribution'
const TAGS = 'setup.tags'

/** Parameters of the advertiser's own, and the tags that tell a site where its visitors come from (decisions G-049). */
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
            <FormInput
              name={`${NAME}.${index}.value`}
              label={t('setup.parameterValue', { number: index + 1 })}
              placeholder="{CLICK_ID}"
              spellCheck={false}
              list="attribution-tags"
              className="grow [&_label]:sr-only"
            />
          </>
        )}
      </RowList>
      <datalist id="attribution-tags">
        {ATTRIBUTION_TAGS.map((tag) => (
          <option key={tag}>{`{${tag}}`}</option>
        ))}
      </datalist>
      <TagsField />
    </>
  )
}

/** Shows what will be sent: made of the landing page while nobody writes their own. */
function TagsField() {
  const { t } = useTranslation('form')
  const { value: tags, set, ref, disabled: readOnly } = useSliceField(TAGS)
  const error = useFieldError(TAGS)
  const productUrl = useFormValue('productUrl').trim()
  const own = tags !== ATTRIBUTION_TEMPLATE
  return (
    <div className="col-span-2 flex flex-col items-start gap-2">
      <Field label={t('setup.tags')} help={t(own ? 'setup.tagsOwn' : 'setup.tagsGenerated')} error={error} className="w-full">
        <Textarea
          ref={ref}
          spellCheck={false}
          readOnly={readOnly}
          className="font-mono text-[12px] leading-5"
          value={own ? tags : (generatedTags(productUrl === '' ? null : productUrl) ?? ATTRIBUTION_TEMPLATE)}
          onChange={(event) => set(event.target.value)}
        />
      </Field>
      {own && !readOnly && (
        <Button variant="secondary" size="small" onClick={() => set(ATTRIBUTION_TEMPLATE)}>
          {t('setup.tagsReset')}
        </Button>
      )}
    </div>
  )
}
