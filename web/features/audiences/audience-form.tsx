import { CircleAlert } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { AUDIENCE_NAME, type AudienceDetails } from '#contract/audiences'
import { SegmentedField } from '@/components/form/choice-fields'
import { TextField } from '@/components/form/fields'
import { markSaved, ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import type { DraftGroup } from '@/components/rules/draft'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import { fieldFaults } from '@/data/field-faults'
import { errorText } from '@/i18n/error-text'
import { lookUp } from '@/i18n/look-up'
import { FileField } from './file-field.tsx'
import type { ChosenFile } from './file-sample.ts'
import { RulesField } from './rules-field.tsx'
import { useSaveAudience } from './use-save-audience.ts'
import { groupOf, isComplete, NO_RULES, useVisitorRules } from './use-visitor-rules.ts'

type AudienceFormProps = {
  /** Null for a new one. */
  readonly audience: AudienceDetails | null
  readonly onCancel: () => void
}

type Values = {
  readonly type: AudienceDetails['type']
  readonly name: string
  /** Of a static audience. */
  readonly chosen: ChosenFile | null
  /** Of a dynamic audience. */
  readonly rules: DraftGroup
}
type Field = keyof Values

const REQUIRED = 'faults:required'

/** The fields by their paths on the wire. */
function fieldOf(path: string): Field | null {
  if (path === 'name') return 'name'
  if (path.startsWith('rules')) return 'rules'
  return path.startsWith('file') || path.startsWith('column') ? 'chosen' : null
}

/** The form of an audience: a file of identifiers, or rules over visitors. */
export function AudienceForm({ audience, onCancel }: AudienceFormProps) {
  const { t } = useTranslation('audiences')
  const needsFile = (type: Values['type']) => type === 'static' && audience === null
  const missing = (isMissing: boolean) => (isMissing ? (lookUp(REQUIRED) ?? REQUIRED) : null)
  const form = useShortForm<Values>(
    { type: audience?.type ?? 'static', name: audience?.name ?? '', chosen: null, rules: audience?.rules ?? NO_RULES },
    ({ type, name, chosen, rules }) => ({
      name: missing(name.trim() === ''),
      chosen:
        type === 'static' && chosen !== null && chosen.column === null
          ? t('form.needColumn')
          : missing(needsFile(type) && chosen === null),
      rules: type === 'dynamic' && !isComplete(rules) ? t('form.needRules') : null,
    }),
  )
  const { control, getValues, setValue, trigger } = form
  const [type, chosen, rules] = useWatch({ control, name: ['type', 'chosen', 'rules'] })
  const { errors, isSubmitted } = useFormState({ control, name: ['chosen', 'rules'] })
  const of = useVisitorRules(rules, (next) =>
    setValue('rules', next(getValues('rules')), { shouldDirty: true, shouldValidate: isSubmitted }),
  )
  // Another type misses other fields.
  useEffect(() => {
    if (isSubmitted) void trigger(type === 'static' ? 'chosen' : 'rules')
  }, [type, isSubmitted, trigger])
  const { saving, progress } = useSaveAudience(audience, () => markSaved(form))
  const submit = (values: Values) =>
    saving.mutate(
      {
        name: values.name.trim(),
        chosen: values.type === 'static' ? values.chosen : null,
        rules: values.type === 'dynamic' ? groupOf(values.rules) : null,
      },
      { onError: (error) => void showFaults(form, error, { fieldOf }) },
    )
  const other = saving.isError && !Object.keys(fieldFaults(saving.error)).some((path) => fieldOf(path) !== null)
  return (
    <ShortForm
      form={form}
      onSubmit={submit}
      // Refused rules are shown by their editor.
      onSubmitCapture={of.check}
      className="flex max-w-4xl flex-col gap-4"
    >
      {other && (
        <Notice tone="bad" role="alert">
          <CircleAlert aria-hidden />
          {errorText(saving.error)}
        </Notice>
      )}
      <Section>
        {audience === null && (
          <SegmentedField<Field, Values['type']>
            name="type"
            label={t('form.kind')}
            segments={[
              { value: 'static', label: t('form.static') },
              { value: 'dynamic', label: t('form.dynamic') },
            ]}
            disabled={saving.isPending}
          />
        )}
        <p className="text-muted-foreground text-pretty">{t(type === 'static' ? 'form.staticLead' : 'form.dynamicLead')}</p>
        <TextField<Field> name="name" label={t('form.name')} required maxLength={AUDIENCE_NAME} disabled={saving.isPending} />
      </Section>
      <Section
        title={t(type === 'dynamic' ? 'form.rules' : audience === null ? 'form.file' : 'form.newFile')}
        lead={type === 'static' && audience !== null ? t('form.newFileLead') : undefined}
      >
        {type === 'static' ? (
          <FileField
            chosen={chosen}
            error={errors.chosen?.message}
            disabled={saving.isPending}
            onChoose={(next) => {
              setValue('chosen', next, { shouldDirty: true, shouldValidate: isSubmitted || next?.column !== null })
              saving.reset()
            }}
          />
        ) : (
          <RulesField of={of} error={errors.rules?.message} spaceId={audience?.space_id ?? null} />
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
              : chosen !== null || needsFile(type)
                ? 'form.upload'
                : audience === null
                  ? 'form.createDynamic'
                  : 'form.save',
          )}
        </Button>
      </div>
    </ShortForm>
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
