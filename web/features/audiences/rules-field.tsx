import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { previewAudience } from '#contract/audiences'
import { RuleGroup } from '@/components/rules/rule-group'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { errorText } from '@/i18n/error-text'
import { formatCount } from '@/i18n/format'
import type { useVisitorRules } from './use-visitor-rules.ts'

type RulesFieldProps = {
  readonly of: ReturnType<typeof useVisitorRules>
  readonly error: string | undefined
  /** The account of an audience that exists. */
  readonly spaceId: string | null
}

/** The rules of a dynamic audience, and how many visitors match them now. */
export function RulesField({ of, error, spaceId }: RulesFieldProps) {
  const { t } = useTranslation('audiences')
  const { container } = of
  const preview = useMutation({
    meta: { silent: true },
    mutationFn: () => call(previewAudience, { body: { rules: of.group, space_id: spaceId } }),
  })
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="sr-only">{t('form.rules')}</legend>
      <div ref={container} className="overflow-x-auto py-1">
        <RuleGroup group={of.rules} path={[]} name="1" editor={of.editor} />
      </div>
      {error !== undefined && (
        <p role="alert" className="text-destructive text-xs">
          {error}
        </p>
      )}
      <div className="border-border flex flex-wrap items-center gap-3 border-t pt-4">
        <Button
          type="button"
          variant="outline"
          disabled={preview.isPending}
          onClick={() => {
            of.check()
            if (of.isComplete) preview.mutate()
          }}
        >
          {t('form.previewSize')}
        </Button>
        <output className="text-[0.8125rem]/4.5">
          {preview.isError ? <span className="text-destructive">{errorText(preview.error)}</span> : null}
          {preview.data === undefined ? null : <Size {...preview.data} />}
        </output>
      </div>
    </fieldset>
  )
}

type SizeProps = { readonly visitors: number; readonly members: number; readonly complete: boolean }

function Size({ visitors, members, complete }: SizeProps) {
  const { t } = useTranslation('audiences')
  const shown = { members: formatCount(members), visitors: formatCount(visitors) }
  if (visitors === 0) return <span className="text-muted-foreground">{t('form.previewNone')}</span>
  return complete ? t('form.previewed', { ...shown, count: visitors }) : t('form.previewedPart', shown)
}
