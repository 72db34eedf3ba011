"""The recorder: a local proxy between an application and a model server, and the file of requests that it keeps."""
