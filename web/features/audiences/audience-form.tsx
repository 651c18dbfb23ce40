import { CircleAlert } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AUDIENCE_NAME, type AudienceDetails } from '#contract/audiences'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { LeaveGuard } from '@/components/form/leave-guard'
import { Segmented } from '@/components/form/segmented'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import { fieldFaults } from '@/data/field-faults'
import { errorText } from '@/i18n/error-text'
import { lookUp } from '@/i18n/look-up'
import { FileField, type ChosenFile } from './file-field.tsx'
import { RulesField } from './rules-field.tsx'
import { useSaveAudience } from './use-save-audience.ts'
import { useVisitorRules } from './use-visitor-rules.ts'

type AudienceFormProps = {
  /** Null for a new one. */
  readonly audience: AudienceDetails | null
  readonly onCancel: () => void
}

const REQUIRED = 'faults:required'
const SHOWN_FIELDS = ['name', 'file', 'rules']
/** Both addresses show this form: nothing is lost between them. */
const isSamePage = (one: { readonly pathname: string }, other: { readonly pathname: string }) => one.pathname === other.pathname

/** The form of an audience: a file of identifiers, or rules over visitors. */
export function AudienceForm({ audience, onCancel }: AudienceFormProps) {
  const { t } = useTranslation('audiences')
  const [type, setType] = useState<AudienceDetails['type']>(audience?.type ?? 'static')
  const [name, setName] = useState(audience?.name ?? '')
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [tried, setTried] = useState(false)
  const of = useVisitorRules(audience?.rules ?? null)
  const isDirty = useRef(false)
  const wasChanged = name !== (audience?.name ?? '') || chosen !== null || (type === 'dynamic' && of.isChanged)
  useEffect(() => {
    isDirty.current = wasChanged
  }, [wasChanged])
  const isSaved = useRef(false)
  const wouldLose = useCallback(() => isDirty.current && !isSaved.current, [])
  const { saving, progress } = useSaveAudience(audience, () => {
    isSaved.current = true
  })
  const faults = fieldFaults(saving.error)
  const missing = (isMissing: boolean) => (tried && isMissing ? (lookUp(REQUIRED) ?? REQUIRED) : undefined)
  const needsFile = type === 'static' && audience === null
  const isValid = name.trim() !== '' && (type === 'static' ? !needsFile || chosen !== null : of.isComplete)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    of.check()
    if (isValid) saving.mutate({ name: name.trim(), chosen, rules: type === 'dynamic' ? of.group : null })
  }
  const other = saving.isError && !Object.keys(faults).some((path) => SHOWN_FIELDS.some((field) => path.startsWith(field)))
  return (
    <form noValidate onSubmit={submit} className="flex max-w-4xl flex-col gap-4">
      {other && (
        <Notice tone="bad" role="alert">
          <CircleAlert aria-hidden />
          {errorText(saving.error)}
        </Notice>
      )}
      <Section>
        {audience === null && (
          <Segmented
            label={t('form.kind')}
            segments={[
              { value: 'static', label: t('form.static') },
              { value: 'dynamic', label: t('form.dynamic') },
            ]}
            value={type}
            disabled={saving.isPending}
            onChange={(next) => setType(next === 'dynamic' ? 'dynamic' : 'static')}
          />
        )}
        <p className="text-muted-foreground text-pretty">{t(type === 'static' ? 'form.staticLead' : 'form.dynamicLead')}</p>
        <LabelledField label={t('form.name')} error={faults['name'] ?? missing(name.trim() === '')}>
          <FieldInput
            required
            autoComplete="off"
            maxLength={AUDIENCE_NAME}
            disabled={saving.isPending}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </LabelledField>
      </Section>
      <Section
        title={t(type === 'dynamic' ? 'form.rules' : audience === null ? 'form.file' : 'form.newFile')}
        lead={type === 'static' && audience !== null ? t('form.newFileLead') : undefined}
      >
        {type === 'static' ? (
          <FileField
            chosen={chosen}
            error={faults['file'] ?? faults['column'] ?? missing(needsFile && chosen === null)}
            disabled={saving.isPending}
            onChoose={(next) => {
              setChosen(next)
              saving.reset()
            }}
          />
        ) : (
          <RulesField
            of={of}
            error={faults['rules'] ?? (tried && !of.isComplete ? t('form.needRules') : undefined)}
            spaceId={audience?.space_id ?? null}
          />
        )}
      </Section>
      <div className="flex flex-wrap items-center justify-end gap-3">
        {progress !== null && (
          <div className="flex min-w-48 grow flex-col gap-1.5">
            <output className="text-muted-foreground text-xs tabular-nums">
              {progress < 1 ? t('form.uploading', { percent: Math.floor(progress * 100) }) : t('form.reading')}
            </output>
            <Progress value={progress * 100} aria-label={t('form.upload')} />
          </div>
        )}
        <Button type="button" variant="outline" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={saving.isPending}>
          {t(
            saving.isPending
              ? 'form.saving'
              : chosen !== null || needsFile
                ? 'form.upload'
                : audience === null
                  ? 'form.createDynamic'
                  : 'form.save',
          )}
        </Button>
      </div>
      <LeaveGuard
        wouldLose={wouldLose}
        isSameForm={isSamePage}
        texts={{ title: t('form.leaveTitle'), text: t('form.leaveText'), confirm: t('form.leave'), cancel: t('form.stay') }}
      />
    </form>
  )
}

type SectionProps = { readonly title?: string; readonly lead?: string | undefined; readonly children: ReactNode }

function Section({ title, lead, children }: SectionProps) {
  return (
    <section className="border-border bg-card flex flex-col gap-5 rounded-lg border p-6">
      {title !== undefined && (
        <header className="flex flex-col gap-1">
          <h2 className="text-[15px]/6 font-semibold">{title}</h2>
          {lead !== undefined && <p className="text-muted-foreground text-[0.8125rem]/4.5 text-pretty">{lead}</p>}
        </header>
      )}
      {children}
    </section>
  )
}
