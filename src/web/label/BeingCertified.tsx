import { StateCard } from '../parts/StateCard.tsx'
import { PrimaryLink } from '../shell/PrimaryLink.tsx'

/** Labelling and an audit are never mixed: while a model is measured, its draws are asked where it is measured. */
export function BeingCertified() {
  return (
    <StateCard
      takesFocus
      about="Project"
      title="The model is being certified."
      lede="Its draws are asked in Certify, with the same keys. Learning goes on afterwards."
      actions={<PrimaryLink to="/certify">Go to the audit</PrimaryLink>}
    />
  )
}
