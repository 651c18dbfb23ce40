import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { LabelledField, FieldInput } from '@/components/form/labelled-field'
import { symbolOf } from '@/i18n/format'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'

const MESSAGE_MS = 3000
type Blocked = 'margin' | 'fixedCpm'

/** One or the other: what is filled disables its counterpart, and says so for three seconds when it does or when that one is tried. */
export function MarginFields() {
  const { t } = useTranslation(['administration', 'faults'])
  const { control } = useCampaignForm()
  const { currency } = useFormBase()
  const [margin, fixedCpm] = useWatch({ control, name: ['administration.margin', 'administration.fixedCpm'] })
  // Both are filled only in campaigns stored so by somebody: then both can be emptied.
  const blocked: Blocked | null =
    margin !== '' && fixedCpm === '' ? 'fixedCpm' : margin === '' && fixedCpm !== '' ? 'margin' : null
  const { told, tell } = useTold(blocked)
  return (
    <>
      <OneOfTwo
        name="administration.margin"
        label={t('administration:margin')}
        help={blocked === 'margin' ? t('administration:offForFixedCpm') : t('administration:marginHelp')}
        message={told === 'margin' ? t('faults:fixedCpmBeforeMargin') : undefined}
        blocked={blocked === 'margin'}
        inputMode="numeric"
        onTry={() => tell('margin')}
      />
      <OneOfTwo
        name="administration.fixedCpm"
        label={t('administration:fixedCpm')}
        help={blocked === 'fixedCpm' ? t('administration:offForMargin') : t('administration:fixedCpmHelp')}
        message={told === 'fixedCpm' ? t('faults:marginBeforeFixedCpm') : undefined}
        blocked={blocked === 'fixedCpm'}
        inputMode="decimal"
        unit={currency === null ? undefined : symbolOf(currency)}
        onTry={() => tell('fixedCpm')}
      />
    </>
  )
}

/** What is being said; it goes after its time, and at once when there is nothing to say any more. */
function useTold(blocked: Blocked | null) {
  const [told, setTold] = useState<{ readonly what: Blocked | null }>({ what: null })
  const [before, setBefore] = useState(blocked)
  if (before !== blocked) {
    setBefore(blocked)
    setTold({ what: blocked })
  }
  useEffect(() => {
    if (told.what === null) return undefined
    const timer = setTimeout(() => setTold({ what: null }), MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [told])
  return { told: told.what, tell: (what: Blocked) => setTold({ what }) }
}

type OneOfTwoProps = {
  readonly name: 'administration.margin' | 'administration.fixedCpm'
  readonly label: string
  readonly help: string
  readonly message: string | undefined
  readonly blocked: boolean
  readonly inputMode: 'numeric' | 'decimal'
  readonly unit?: string | undefined
  readonly onTry: () => void
}

function OneOfTwo({ name, label, help, message, blocked, inputMode, unit, onTry }: OneOfTwoProps) {
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError(name)
  return (
    // A disabled input takes no presses: those go to what is around it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onPointerDown={blocked && !readOnly ? onTry : undefined}>
      <LabelledField label={label} help={message === undefined ? help : undefined} error={error} unit={unit}>
        <FieldInput
          autoComplete="off"
          inputMode={inputMode}
          readOnly={readOnly}
          disabled={blocked}
          className="disabled:pointer-events-none tabular-nums"
          {...register(name)}
        />
      </LabelledField>
      <p role="alert" className="text-warning text-xs mt-1.5 empty:hidden">
        {message}
      </p>
    </div>
  )
}
