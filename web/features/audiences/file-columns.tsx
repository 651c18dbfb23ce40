import { useTranslation } from 'react-i18next'
import { IDENTIFIER_KINDS } from '#domain/audience/identifiers'
import { FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { ToggleRow } from '@/components/form/toggle-row'
import type { ChosenFile } from './file-sample.ts'
import { SampleTable } from './sample-table.tsx'

const KINDS = ['any', ...IDENTIFIER_KINDS] as const

type ColumnsProps = { readonly chosen: ChosenFile; readonly disabled: boolean; readonly onChoose: (chosen: ChosenFile) => void }

/** The column with the identifiers, which is asked for where the file leaves a doubt, and how its cells are read. */
export function FileColumns({ chosen, disabled, onChoose }: ColumnsProps) {
  const { t } = useTranslation('audiences')
  const { sample, column, kind, anyForm } = chosen
  const nameOf = (at: number) => sample.columns[at] || t('form.columnNumber', { number: at + 1 })
  const { column: recognised, asLikely, likeliest } = sample
  const help =
    recognised !== null && asLikely.length > 0
      ? t('form.asLikely', { columns: [recognised, ...asLikely].map(nameOf).join(', ') })
      : recognised !== null
        ? t('form.recognised', { column: nameOf(recognised) })
        : t('form.unrecognised', { column: nameOf(likeliest ?? 0) })
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <LabelledField label={t('form.column')} help={help}>
          <FieldSelect
            disabled={disabled}
            value={column === null ? '' : String(column)}
            onChange={({ target }) => onChoose({ ...chosen, column: target.value === '' ? null : Number(target.value) })}
          >
            {column === null && <option value="">–</option>}
            {sample.columns.map((name, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity
              <option key={at} value={at}>
                {name || nameOf(at)}
              </option>
            ))}
          </FieldSelect>
        </LabelledField>
        <LabelledField label={t('form.identifiers')}>
          <FieldSelect
            disabled={disabled}
            value={kind}
            onChange={({ target }) => onChoose({ ...chosen, kind: KINDS.find((one) => one === target.value) ?? 'any' })}
          >
            {KINDS.map((one) => (
              <option key={one} value={one}>
                {t(`form.kinds.${one}`)}
              </option>
            ))}
          </FieldSelect>
        </LabelledField>
      </div>
      {kind !== 'device' && (
        <ToggleRow
          label={t('form.anyForm')}
          help={t('form.anyFormHelp')}
          checked={anyForm}
          disabled={disabled}
          onChange={(next) => onChoose({ ...chosen, anyForm: next })}
        />
      )}
      <SampleTable chosen={chosen} />
    </>
  )
}
