import { FileSpreadsheet, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IDENTIFIER_KINDS, type ColumnKind } from '#domain/audience/identifiers'
import { FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { FileDrop } from '@/components/upload/file-drop'
import { useFileSize } from '@/components/upload/file-size'
import { readSample, type Sample } from './csv-sample.ts'
import { SampleTable } from './sample-table.tsx'

/** A chosen file, with the column that was recognised and can be changed. */
export type ChosenFile = {
  readonly file: File
  readonly sample: Sample
  /** Position from 0; null until one is chosen. */
  readonly column: number | null
  readonly kind: ColumnKind
}

export async function chosenFile(file: File): Promise<ChosenFile> {
  const sample = await readSample(file)
  return { file, sample, column: sample.column, kind: sample.kind }
}

type FileFieldProps = {
  readonly chosen: ChosenFile | null
  readonly error: string | undefined
  readonly disabled: boolean
  readonly onChoose: (chosen: ChosenFile | null) => void
}

const KINDS = ['any', ...IDENTIFIER_KINDS] as const

/** The file of an audience: its first rows, and the column with the identifiers to confirm. */
export function FileField({ chosen, error, disabled, onChoose }: FileFieldProps) {
  const { t } = useTranslation('audiences')
  const errorId = useId()
  const sizeOf = useFileSize()
  const [isEmpty, setIsEmpty] = useState(false)
  const take = (files: readonly File[]) => {
    const [file] = files
    if (file === undefined) return
    setIsEmpty(file.size === 0)
    if (file.size > 0) void chosenFile(file).then(onChoose)
  }
  const shown = isEmpty ? t('form.emptyFile') : error
  return (
    <div className="flex flex-col gap-4" aria-describedby={shown === undefined ? undefined : errorId}>
      {chosen === null ? (
        <FileDrop
          accept=".csv,.txt,text/csv,text/plain"
          label={t('form.chooseFile')}
          multiple={false}
          disabled={disabled}
          onFiles={take}
        >
          <FileSpreadsheet aria-hidden className="text-muted-foreground size-8 stroke-[1.25]" />
          <p className="font-medium">{t('form.drop')}</p>
          <p className="text-muted-foreground max-w-md text-[0.8125rem]/4.5 text-pretty">{t('form.dropHelp')}</p>
        </FileDrop>
      ) : (
        <div className="border-border flex items-center gap-3 rounded-lg border px-4 py-3">
          <FileSpreadsheet aria-hidden className="text-muted-foreground size-5 shrink-0" />
          <p className="flex min-w-0 grow items-baseline gap-2">
            <span className="min-w-0 wrap-anywhere">{chosen.file.name}</span>
            <span className="text-muted-foreground shrink-0 text-xs tabular-nums">{sizeOf(chosen.file.size)}</span>
          </p>
          <Button
            type="button"
            variant="ghost"
            size="icon"
            disabled={disabled}
            aria-label={t('form.removeFile')}
            onClick={() => onChoose(null)}
          >
            <X aria-hidden />
          </Button>
        </div>
      )}
      {shown !== undefined && (
        <p id={errorId} role="alert" className="text-destructive text-xs">
          {shown}
        </p>
      )}
      {chosen !== null && chosen.sample.columns.length > 0 && <Columns chosen={chosen} disabled={disabled} onChoose={onChoose} />}
    </div>
  )
}

type ColumnsProps = { readonly chosen: ChosenFile; readonly disabled: boolean; readonly onChoose: (chosen: ChosenFile) => void }

function Columns({ chosen, disabled, onChoose }: ColumnsProps) {
  const { t } = useTranslation('audiences')
  const { sample, column, kind } = chosen
  const nameOf = (at: number) => sample.columns[at] || t('form.columnNumber', { number: at + 1 })
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <LabelledField
          label={t('form.column')}
          help={sample.column === null ? t('form.unrecognised') : t('form.recognised', { column: nameOf(sample.column) })}
        >
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
      <SampleTable sample={sample} column={column ?? -1} kind={kind} />
    </>
  )
}
