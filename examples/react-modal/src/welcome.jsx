import Modal, { useModal } from '@dopt/react-modal';

/** Shown while its block is active; completing or dismissing it makes it inactive, for good until the flow is reset. */
export function Welcome() {
  const modal = useModal('onboarding.welcome');
  return (
    <Modal.Root active={modal.active}>
      <Modal.Overlay />
      <Modal.Content role="dialog">
        <Modal.Header>
          <Modal.Title>{modal.title}</Modal.Title>
          <Modal.DismissIcon onClick={modal.dismiss} aria-label="Close" />
        </Modal.Header>
        <Modal.Body>{modal.body}</Modal.Body>
        <Modal.Footer>
          <Modal.DismissButton onClick={modal.dismiss}>{modal.dismissLabel}</Modal.DismissButton>
          <Modal.CompleteButton onClick={modal.complete}>
            {modal.completeLabel}
          </Modal.CompleteButton>
        </Modal.Footer>
      </Modal.Content>
    </Modal.Root>
  );
}
