import TourItem, { useTourItem } from '@dopt/react-tour';
import '@dopt/react-tour/styles.css';

/** One stop of the tour, beside what it explains. */
export function Stop({ id, children }) {
  const stop = useTourItem(id);
  if (!stop) return children;
  return (
    <TourItem.Root active={stop.active}>
      <TourItem.Anchor>{children}</TourItem.Anchor>
      <TourItem.Popover position="bottom">
        <TourItem.Content data-testid={id}>
          <TourItem.Header>
            <TourItem.Title>{stop.title}</TourItem.Title>
            <TourItem.DismissIcon onClick={stop.tour.dismiss} aria-label="Dismiss the tour" />
          </TourItem.Header>
          <TourItem.Body>{stop.body}</TourItem.Body>
          <TourItem.Footer>
            <TourItem.BackButton onClick={stop.back}>{stop.backLabel}</TourItem.BackButton>
            <TourItem.NextButton onClick={stop.next}>{stop.nextLabel}</TourItem.NextButton>
          </TourItem.Footer>
          <TourItem.Progress count={stop.tour.size} index={stop.index} />
        </TourItem.Content>
      </TourItem.Popover>
    </TourItem.Root>
  );
}
