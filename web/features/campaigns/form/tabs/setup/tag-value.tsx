import { useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { ATTRIBUTION_TAGS } from '#domain/campaign/content/options'
import { LabelledField, FieldInput, FieldSelect } from '@/components/form/labelled-field'

type TagValueProps = {
  readonly label: string
  /** A tag in braces, or plain text. */
  readonly value: string
  readonly readOnly: boolean
  readonly ref?: Ref<HTMLSelectElement>
  readonly onChange: (value: string) => void
}

const TAGS = ATTRIBUTION_TAGS.map((tag) => `{${tag}}`)
/** Set by the platform. Shown where stored, but not offered (decisions G-048). */
const PLATFORM = ['{SOURCE}', '{MEDIUM}']
const OWN = 'own'

/** The value of a parameter: plain text, or a tag that is replaced when the ad is shown. */
export function TagValue({ label, value, readOnly, ref, onChange }: TagValueProps) {
  const { t } = useTranslation('form')
  const [writing, setWriting] = useState(false)
  const options = PLATFORM.includes(value) ? [value, ...TAGS] : TAGS
  const own = writing || (value !== '' && !options.includes(value))
  return (
    <>
      <LabelledField label={label} className="w-52 shrink-0 [&_label]:sr-only">
        <FieldSelect
          ref={ref}
          disabled={readOnly}
          value={own ? OWN : value}
          onChange={({ target }) => {
            setWriting(target.value === OWN)
            onChange(target.value === OWN ? '' : target.value)
          }}
        >
          <option value="" disabled hidden>
            {t('setup.tagPick')}
          </option>
          {options.map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
          <option value={OWN}>{t('setup.tagOwn')}</option>
        </FieldSelect>
      </LabelledField>
      {own && (
        <LabelledField label={t('setup.tagText', { label })} className="min-w-0 grow [&_label]:sr-only">
          <FieldInput
            autoComplete="off"
            spellCheck={false}
            readOnly={readOnly}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        </LabelledField>
      )}
    </>
  )
}
