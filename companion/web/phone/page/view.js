// What the camera sees, in an image that is renewed for as long as somebody looks at it.
const AGAIN = 450; // ms between two pictures

export function watch(image, { isSeen, told = () => {} }) {
  let isLooking = false;
  return async () => {
    if (isLooking) return;
    isLooking = true;
    while (isSeen() && !document.hidden) {
      const answer = await fetch("/phone/camera.jpg").catch(() => null);
      const isThere = answer?.status === 200;
      if (isThere) {
        const old = image.src;
        image.src = URL.createObjectURL(await answer.blob());
        if (old.startsWith("blob:")) URL.revokeObjectURL(old);
      }
      image.hidden = !isThere;
      told(isThere);
      await new Promise((done) => setTimeout(done, AGAIN));
    }
    isLooking = false;
  };
}
